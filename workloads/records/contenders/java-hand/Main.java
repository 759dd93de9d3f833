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

/** Records to JSON by hand. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        var hand = new Hand();
        var probe = new Probe();
        var records1 = Records.make(Fields1::of, Fields1[]::new);
        probe.sized(1, Records.COUNT, i -> hand.encode(records1[i]));
        var records2 = Records.make(Fields2::of, Fields2[]::new);
        probe.sized(2, Records.COUNT, i -> hand.encode(records2[i]));
        var records5 = Records.make(Fields5::of, Fields5[]::new);
        probe.sized(5, Records.COUNT, i -> hand.encode(records5[i]));
        var records10 = Records.make(Fields10::of, Fields10[]::new);
        probe.sized(10, Records.COUNT, i -> hand.encode(records10[i]));
        var records15 = Records.make(Fields15::of, Fields15[]::new);
        probe.sized(15, Records.COUNT, i -> hand.encode(records15[i]));
        var records20 = Records.make(Fields20::of, Fields20[]::new);
        probe.sized(20, Records.COUNT, i -> hand.encode(records20[i]));
        var records25 = Records.make(Fields25::of, Fields25[]::new);
        probe.sized(25, Records.COUNT, i -> hand.encode(records25[i]));
        var records35 = Records.make(Fields35::of, Fields35[]::new);
        probe.sized(35, Records.COUNT, i -> hand.encode(records35[i]));
        var records50 = Records.make(Fields50::of, Fields50[]::new);
        probe.sized(50, Records.COUNT, i -> hand.encode(records50[i]));
        probe.only(Records.sizeOfCase(arguments)).serve();
    }
}
