// Written by workloads/records/write_types.py.
package records;

import java.util.function.IntToLongFunction;

/** A record of 15. */
public record Fields15(
        long field01, long field02, long field03, long field04, long field05, long field06,
        long field07, long field08, long field09, long field10, long field11, long field12,
        long field13, long field14, long field15) {
    /** Every field is the value of its number. */
    public static Fields15 of(IntToLongFunction value) {
        return new Fields15(
            value.applyAsLong(0), value.applyAsLong(1), value.applyAsLong(2), value.applyAsLong(3),
            value.applyAsLong(4), value.applyAsLong(5), value.applyAsLong(6), value.applyAsLong(7),
            value.applyAsLong(8), value.applyAsLong(9), value.applyAsLong(10),
            value.applyAsLong(11), value.applyAsLong(12), value.applyAsLong(13),
            value.applyAsLong(14));
    }
}
