// Written by workloads/records/write_types.py.
import records.Fields1;
import records.Fields10;
import records.Fields15;
import records.Fields2;
import records.Fields20;
import records.Fields25;
import records.Fields35;
import records.Fields5;
import records.Fields50;

/** The encoders: a line a field, into room that serves one record after the other. */
final class Hand {
    private final Writer out = new Writer(50);

    byte[] encode(Fields1 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        return out.end();
    }

    byte[] encode(Fields2 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        out.field(Keys.FIELD02, record.field02());
        return out.end();
    }

    byte[] encode(Fields5 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        out.field(Keys.FIELD02, record.field02());
        out.field(Keys.FIELD03, record.field03());
        out.field(Keys.FIELD04, record.field04());
        out.field(Keys.FIELD05, record.field05());
        return out.end();
    }

    byte[] encode(Fields10 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        out.field(Keys.FIELD02, record.field02());
        out.field(Keys.FIELD03, record.field03());
        out.field(Keys.FIELD04, record.field04());
        out.field(Keys.FIELD05, record.field05());
        out.field(Keys.FIELD06, record.field06());
        out.field(Keys.FIELD07, record.field07());
        out.field(Keys.FIELD08, record.field08());
        out.field(Keys.FIELD09, record.field09());
        out.field(Keys.FIELD10, record.field10());
        return out.end();
    }

    byte[] encode(Fields15 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        out.field(Keys.FIELD02, record.field02());
        out.field(Keys.FIELD03, record.field03());
        out.field(Keys.FIELD04, record.field04());
        out.field(Keys.FIELD05, record.field05());
        out.field(Keys.FIELD06, record.field06());
        out.field(Keys.FIELD07, record.field07());
        out.field(Keys.FIELD08, record.field08());
        out.field(Keys.FIELD09, record.field09());
        out.field(Keys.FIELD10, record.field10());
        out.field(Keys.FIELD11, record.field11());
        out.field(Keys.FIELD12, record.field12());
        out.field(Keys.FIELD13, record.field13());
        out.field(Keys.FIELD14, record.field14());
        out.field(Keys.FIELD15, record.field15());
        return out.end();
    }

    byte[] encode(Fields20 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        out.field(Keys.FIELD02, record.field02());
        out.field(Keys.FIELD03, record.field03());
        out.field(Keys.FIELD04, record.field04());
        out.field(Keys.FIELD05, record.field05());
        out.field(Keys.FIELD06, record.field06());
        out.field(Keys.FIELD07, record.field07());
        out.field(Keys.FIELD08, record.field08());
        out.field(Keys.FIELD09, record.field09());
        out.field(Keys.FIELD10, record.field10());
        out.field(Keys.FIELD11, record.field11());
        out.field(Keys.FIELD12, record.field12());
        out.field(Keys.FIELD13, record.field13());
        out.field(Keys.FIELD14, record.field14());
        out.field(Keys.FIELD15, record.field15());
        out.field(Keys.FIELD16, record.field16());
        out.field(Keys.FIELD17, record.field17());
        out.field(Keys.FIELD18, record.field18());
        out.field(Keys.FIELD19, record.field19());
        out.field(Keys.FIELD20, record.field20());
        return out.end();
    }

    byte[] encode(Fields25 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        out.field(Keys.FIELD02, record.field02());
        out.field(Keys.FIELD03, record.field03());
        out.field(Keys.FIELD04, record.field04());
        out.field(Keys.FIELD05, record.field05());
        out.field(Keys.FIELD06, record.field06());
        out.field(Keys.FIELD07, record.field07());
        out.field(Keys.FIELD08, record.field08());
        out.field(Keys.FIELD09, record.field09());
        out.field(Keys.FIELD10, record.field10());
        out.field(Keys.FIELD11, record.field11());
        out.field(Keys.FIELD12, record.field12());
        out.field(Keys.FIELD13, record.field13());
        out.field(Keys.FIELD14, record.field14());
        out.field(Keys.FIELD15, record.field15());
        out.field(Keys.FIELD16, record.field16());
        out.field(Keys.FIELD17, record.field17());
        out.field(Keys.FIELD18, record.field18());
        out.field(Keys.FIELD19, record.field19());
        out.field(Keys.FIELD20, record.field20());
        out.field(Keys.FIELD21, record.field21());
        out.field(Keys.FIELD22, record.field22());
        out.field(Keys.FIELD23, record.field23());
        out.field(Keys.FIELD24, record.field24());
        out.field(Keys.FIELD25, record.field25());
        return out.end();
    }

    byte[] encode(Fields35 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        out.field(Keys.FIELD02, record.field02());
        out.field(Keys.FIELD03, record.field03());
        out.field(Keys.FIELD04, record.field04());
        out.field(Keys.FIELD05, record.field05());
        out.field(Keys.FIELD06, record.field06());
        out.field(Keys.FIELD07, record.field07());
        out.field(Keys.FIELD08, record.field08());
        out.field(Keys.FIELD09, record.field09());
        out.field(Keys.FIELD10, record.field10());
        out.field(Keys.FIELD11, record.field11());
        out.field(Keys.FIELD12, record.field12());
        out.field(Keys.FIELD13, record.field13());
        out.field(Keys.FIELD14, record.field14());
        out.field(Keys.FIELD15, record.field15());
        out.field(Keys.FIELD16, record.field16());
        out.field(Keys.FIELD17, record.field17());
        out.field(Keys.FIELD18, record.field18());
        out.field(Keys.FIELD19, record.field19());
        out.field(Keys.FIELD20, record.field20());
        out.field(Keys.FIELD21, record.field21());
        out.field(Keys.FIELD22, record.field22());
        out.field(Keys.FIELD23, record.field23());
        out.field(Keys.FIELD24, record.field24());
        out.field(Keys.FIELD25, record.field25());
        out.field(Keys.FIELD26, record.field26());
        out.field(Keys.FIELD27, record.field27());
        out.field(Keys.FIELD28, record.field28());
        out.field(Keys.FIELD29, record.field29());
        out.field(Keys.FIELD30, record.field30());
        out.field(Keys.FIELD31, record.field31());
        out.field(Keys.FIELD32, record.field32());
        out.field(Keys.FIELD33, record.field33());
        out.field(Keys.FIELD34, record.field34());
        out.field(Keys.FIELD35, record.field35());
        return out.end();
    }

    byte[] encode(Fields50 record) {
        out.begin();
        out.field(Keys.FIELD01, record.field01());
        out.field(Keys.FIELD02, record.field02());
        out.field(Keys.FIELD03, record.field03());
        out.field(Keys.FIELD04, record.field04());
        out.field(Keys.FIELD05, record.field05());
        out.field(Keys.FIELD06, record.field06());
        out.field(Keys.FIELD07, record.field07());
        out.field(Keys.FIELD08, record.field08());
        out.field(Keys.FIELD09, record.field09());
        out.field(Keys.FIELD10, record.field10());
        out.field(Keys.FIELD11, record.field11());
        out.field(Keys.FIELD12, record.field12());
        out.field(Keys.FIELD13, record.field13());
        out.field(Keys.FIELD14, record.field14());
        out.field(Keys.FIELD15, record.field15());
        out.field(Keys.FIELD16, record.field16());
        out.field(Keys.FIELD17, record.field17());
        out.field(Keys.FIELD18, record.field18());
        out.field(Keys.FIELD19, record.field19());
        out.field(Keys.FIELD20, record.field20());
        out.field(Keys.FIELD21, record.field21());
        out.field(Keys.FIELD22, record.field22());
        out.field(Keys.FIELD23, record.field23());
        out.field(Keys.FIELD24, record.field24());
        out.field(Keys.FIELD25, record.field25());
        out.field(Keys.FIELD26, record.field26());
        out.field(Keys.FIELD27, record.field27());
        out.field(Keys.FIELD28, record.field28());
        out.field(Keys.FIELD29, record.field29());
        out.field(Keys.FIELD30, record.field30());
        out.field(Keys.FIELD31, record.field31());
        out.field(Keys.FIELD32, record.field32());
        out.field(Keys.FIELD33, record.field33());
        out.field(Keys.FIELD34, record.field34());
        out.field(Keys.FIELD35, record.field35());
        out.field(Keys.FIELD36, record.field36());
        out.field(Keys.FIELD37, record.field37());
        out.field(Keys.FIELD38, record.field38());
        out.field(Keys.FIELD39, record.field39());
        out.field(Keys.FIELD40, record.field40());
        out.field(Keys.FIELD41, record.field41());
        out.field(Keys.FIELD42, record.field42());
        out.field(Keys.FIELD43, record.field43());
        out.field(Keys.FIELD44, record.field44());
        out.field(Keys.FIELD45, record.field45());
        out.field(Keys.FIELD46, record.field46());
        out.field(Keys.FIELD47, record.field47());
        out.field(Keys.FIELD48, record.field48());
        out.field(Keys.FIELD49, record.field49());
        out.field(Keys.FIELD50, record.field50());
        return out.end();
    }
}
