// Written by workloads/records/write_types.py.
package marked;

import com.dslplatform.json.CompiledJson;
import java.util.function.IntToLongFunction;

/** A record of 50. */
@CompiledJson
public record Fields50(
        long field01, long field02, long field03, long field04, long field05, long field06,
        long field07, long field08, long field09, long field10, long field11, long field12,
        long field13, long field14, long field15, long field16, long field17, long field18,
        long field19, long field20, long field21, long field22, long field23, long field24,
        long field25, long field26, long field27, long field28, long field29, long field30,
        long field31, long field32, long field33, long field34, long field35, long field36,
        long field37, long field38, long field39, long field40, long field41, long field42,
        long field43, long field44, long field45, long field46, long field47, long field48,
        long field49, long field50) {
    /** Every field is the value of its number. */
    public static Fields50 of(IntToLongFunction value) {
        return new Fields50(
            value.applyAsLong(0), value.applyAsLong(1), value.applyAsLong(2), value.applyAsLong(3),
            value.applyAsLong(4), value.applyAsLong(5), value.applyAsLong(6), value.applyAsLong(7),
            value.applyAsLong(8), value.applyAsLong(9), value.applyAsLong(10),
            value.applyAsLong(11), value.applyAsLong(12), value.applyAsLong(13),
            value.applyAsLong(14), value.applyAsLong(15), value.applyAsLong(16),
            value.applyAsLong(17), value.applyAsLong(18), value.applyAsLong(19),
            value.applyAsLong(20), value.applyAsLong(21), value.applyAsLong(22),
            value.applyAsLong(23), value.applyAsLong(24), value.applyAsLong(25),
            value.applyAsLong(26), value.applyAsLong(27), value.applyAsLong(28),
            value.applyAsLong(29), value.applyAsLong(30), value.applyAsLong(31),
            value.applyAsLong(32), value.applyAsLong(33), value.applyAsLong(34),
            value.applyAsLong(35), value.applyAsLong(36), value.applyAsLong(37),
            value.applyAsLong(38), value.applyAsLong(39), value.applyAsLong(40),
            value.applyAsLong(41), value.applyAsLong(42), value.applyAsLong(43),
            value.applyAsLong(44), value.applyAsLong(45), value.applyAsLong(46),
            value.applyAsLong(47), value.applyAsLong(48), value.applyAsLong(49));
    }
}
