// Written by workloads/records/write_types.py.
import java.nio.charset.StandardCharsets;

/** The fields' names as they are written. */
final class Keys {
    static final byte[] FIELD01 = key("field01");
    static final byte[] FIELD02 = key("field02");
    static final byte[] FIELD03 = key("field03");
    static final byte[] FIELD04 = key("field04");
    static final byte[] FIELD05 = key("field05");
    static final byte[] FIELD06 = key("field06");
    static final byte[] FIELD07 = key("field07");
    static final byte[] FIELD08 = key("field08");
    static final byte[] FIELD09 = key("field09");
    static final byte[] FIELD10 = key("field10");
    static final byte[] FIELD11 = key("field11");
    static final byte[] FIELD12 = key("field12");
    static final byte[] FIELD13 = key("field13");
    static final byte[] FIELD14 = key("field14");
    static final byte[] FIELD15 = key("field15");
    static final byte[] FIELD16 = key("field16");
    static final byte[] FIELD17 = key("field17");
    static final byte[] FIELD18 = key("field18");
    static final byte[] FIELD19 = key("field19");
    static final byte[] FIELD20 = key("field20");
    static final byte[] FIELD21 = key("field21");
    static final byte[] FIELD22 = key("field22");
    static final byte[] FIELD23 = key("field23");
    static final byte[] FIELD24 = key("field24");
    static final byte[] FIELD25 = key("field25");
    static final byte[] FIELD26 = key("field26");
    static final byte[] FIELD27 = key("field27");
    static final byte[] FIELD28 = key("field28");
    static final byte[] FIELD29 = key("field29");
    static final byte[] FIELD30 = key("field30");
    static final byte[] FIELD31 = key("field31");
    static final byte[] FIELD32 = key("field32");
    static final byte[] FIELD33 = key("field33");
    static final byte[] FIELD34 = key("field34");
    static final byte[] FIELD35 = key("field35");
    static final byte[] FIELD36 = key("field36");
    static final byte[] FIELD37 = key("field37");
    static final byte[] FIELD38 = key("field38");
    static final byte[] FIELD39 = key("field39");
    static final byte[] FIELD40 = key("field40");
    static final byte[] FIELD41 = key("field41");
    static final byte[] FIELD42 = key("field42");
    static final byte[] FIELD43 = key("field43");
    static final byte[] FIELD44 = key("field44");
    static final byte[] FIELD45 = key("field45");
    static final byte[] FIELD46 = key("field46");
    static final byte[] FIELD47 = key("field47");
    static final byte[] FIELD48 = key("field48");
    static final byte[] FIELD49 = key("field49");
    static final byte[] FIELD50 = key("field50");

    private Keys() {}

    private static byte[] key(String name) {
        return ('"' + name + "\":").getBytes(StandardCharsets.US_ASCII);
    }
}
