// Written by workloads/records/write_types.py.
package records;

import java.util.function.IntToLongFunction;

/** A record of 2. */
public record Fields2(
        long field01, long field02) {
    /** Every field is the value of its number. */
    public static Fields2 of(IntToLongFunction value) {
        return new Fields2(
            value.applyAsLong(0), value.applyAsLong(1));
    }
}
