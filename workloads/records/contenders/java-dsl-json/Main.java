import com.dslplatform.json.DslJson;
import com.dslplatform.json.JsonWriter;
import marked.Fields10;
import marked.Fields15;
import marked.Fields1;
import marked.Fields20;
import marked.Fields25;
import marked.Fields2;
import marked.Fields35;
import marked.Fields50;
import marked.Fields5;
import records.Records;

/** Records to JSON by the encoders that dsl-json's annotation processor wrote for their types. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        var dsl = new DslJson<Object>();
        JsonWriter out = dsl.newWriter();
        var probe = new Probe();
        var records1 = Records.make(Fields1::of, Fields1[]::new);
        var encoder1 = dsl.tryFindWriter(Fields1.class);
        probe.sized(1, Records.COUNT, i -> {
            encoder1.write(out, records1[i]);
            return taken(out);
        });
        var records2 = Records.make(Fields2::of, Fields2[]::new);
        var encoder2 = dsl.tryFindWriter(Fields2.class);
        probe.sized(2, Records.COUNT, i -> {
            encoder2.write(out, records2[i]);
            return taken(out);
        });
        var records5 = Records.make(Fields5::of, Fields5[]::new);
        var encoder5 = dsl.tryFindWriter(Fields5.class);
        probe.sized(5, Records.COUNT, i -> {
            encoder5.write(out, records5[i]);
            return taken(out);
        });
        var records10 = Records.make(Fields10::of, Fields10[]::new);
        var encoder10 = dsl.tryFindWriter(Fields10.class);
        probe.sized(10, Records.COUNT, i -> {
            encoder10.write(out, records10[i]);
            return taken(out);
        });
        var records15 = Records.make(Fields15::of, Fields15[]::new);
        var encoder15 = dsl.tryFindWriter(Fields15.class);
        probe.sized(15, Records.COUNT, i -> {
            encoder15.write(out, records15[i]);
            return taken(out);
        });
        var records20 = Records.make(Fields20::of, Fields20[]::new);
        var encoder20 = dsl.tryFindWriter(Fields20.class);
        probe.sized(20, Records.COUNT, i -> {
            encoder20.write(out, records20[i]);
            return taken(out);
        });
        var records25 = Records.make(Fields25::of, Fields25[]::new);
        var encoder25 = dsl.tryFindWriter(Fields25.class);
        probe.sized(25, Records.COUNT, i -> {
            encoder25.write(out, records25[i]);
            return taken(out);
        });
        var records35 = Records.make(Fields35::of, Fields35[]::new);
        var encoder35 = dsl.tryFindWriter(Fields35.class);
        probe.sized(35, Records.COUNT, i -> {
            encoder35.write(out, records35[i]);
            return taken(out);
        });
        var records50 = Records.make(Fields50::of, Fields50[]::new);
        var encoder50 = dsl.tryFindWriter(Fields50.class);
        probe.sized(50, Records.COUNT, i -> {
            encoder50.write(out, records50[i]);
            return taken(out);
        });
        probe.only(Records.sizeOfCase(arguments)).serve();
    }

    /** The bytes that were written, and the writer made ready for the next record. */
    private static byte[] taken(JsonWriter out) {
        byte[] bytes = out.toByteArray();
        out.reset();
        return bytes;
    }
}
