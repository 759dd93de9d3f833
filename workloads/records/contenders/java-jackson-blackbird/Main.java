import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.module.blackbird.BlackbirdModule;
import records.Fields10;
import records.Fields15;
import records.Fields1;
import records.Fields20;
import records.Fields25;
import records.Fields2;
import records.Fields35;
import records.Fields50;
import records.Fields5;
import records.Records;

/** Records to JSON by Jackson and its Blackbird module. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        var mapper = JsonMapper.builder().addModule(new BlackbirdModule()).build();
        var probe = new Probe();
        var records1 = Records.make(Fields1::of, Fields1[]::new);
        var writer1 = mapper.writerFor(Fields1.class);
        probe.sized(1, Records.COUNT, i -> writer1.writeValueAsBytes(records1[i]));
        var records2 = Records.make(Fields2::of, Fields2[]::new);
        var writer2 = mapper.writerFor(Fields2.class);
        probe.sized(2, Records.COUNT, i -> writer2.writeValueAsBytes(records2[i]));
        var records5 = Records.make(Fields5::of, Fields5[]::new);
        var writer5 = mapper.writerFor(Fields5.class);
        probe.sized(5, Records.COUNT, i -> writer5.writeValueAsBytes(records5[i]));
        var records10 = Records.make(Fields10::of, Fields10[]::new);
        var writer10 = mapper.writerFor(Fields10.class);
        probe.sized(10, Records.COUNT, i -> writer10.writeValueAsBytes(records10[i]));
        var records15 = Records.make(Fields15::of, Fields15[]::new);
        var writer15 = mapper.writerFor(Fields15.class);
        probe.sized(15, Records.COUNT, i -> writer15.writeValueAsBytes(records15[i]));
        var records20 = Records.make(Fields20::of, Fields20[]::new);
        var writer20 = mapper.writerFor(Fields20.class);
        probe.sized(20, Records.COUNT, i -> writer20.writeValueAsBytes(records20[i]));
        var records25 = Records.make(Fields25::of, Fields25[]::new);
        var writer25 = mapper.writerFor(Fields25.class);
        probe.sized(25, Records.COUNT, i -> writer25.writeValueAsBytes(records25[i]));
        var records35 = Records.make(Fields35::of, Fields35[]::new);
        var writer35 = mapper.writerFor(Fields35.class);
        probe.sized(35, Records.COUNT, i -> writer35.writeValueAsBytes(records35[i]));
        var records50 = Records.make(Fields50::of, Fields50[]::new);
        var writer50 = mapper.writerFor(Fields50.class);
        probe.sized(50, Records.COUNT, i -> writer50.writeValueAsBytes(records50[i]));
        probe.only(Records.sizeOfCase(arguments)).serve();
    }
}
