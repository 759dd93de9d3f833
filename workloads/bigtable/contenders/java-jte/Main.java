import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import page.Pages;

/** The page by jte, whose templates are compiled to Java; their fixed parts lie ready as bytes. */
public final class Main {
    private record Rendered(Utf8ByteOutput output) implements Pages.Page {
        @Override
        public int length() {
            return output.getContentLength();
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            output.writeTo(out);
        }
    }

    public static void main(String[] args) throws IOException {
        var engine = TemplateEngine.createPrecompiled(ContentType.Html);
        engine.setBinaryStaticContent(true);
        Pages.serve(Integer.parseInt(args[0]), (rows, columns) -> {
            var output = new Utf8ByteOutput();
            engine.render("table.jte", Map.of("rows", rows, "columns", columns), output);
            return new Rendered(output);
        });
    }
}
