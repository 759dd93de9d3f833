// Written by workloads/records/write_types.py.
package records;

import java.util.function.IntToLongFunction;

/** A record of 5. */
public record Fields5(
        long field01, long field02, long field03, long field04, long field05) {
    /** Every field is the value of its number. */
    public static Fields5 of(IntToLongFunction value) {
        return new Fields5(
            value.applyAsLong(0), value.applyAsLong(1), value.applyAsLong(2), value.applyAsLong(3),
            value.applyAsLong(4));
    }
}
