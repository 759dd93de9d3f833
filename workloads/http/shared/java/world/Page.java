package world;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;

/** The page of fortunes. */
public final class Page {
    private static final Template TEMPLATE = Mustache.compiler().escapeHTML(true).compile(
        "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table>"
            + "<tr><th>id</th><th>message</th></tr>"
            + "{{#fortunes}}<tr><td>{{id}}</td><td>{{message}}</td></tr>{{/fortunes}}"
            + "</table></body></html>");

    private Page() {}

    /** With one fortune more than those that were found. */
    public static byte[] of(List<Fortune> found) {
        var fortunes = new ArrayList<>(found);
        fortunes.add(new Fortune(0, "Additional fortune added at request time."));
        fortunes.sort(Comparator.comparing(Fortune::message));
        return TEMPLATE.execute(Map.of("fortunes", fortunes)).getBytes(StandardCharsets.UTF_8);
    }
}
