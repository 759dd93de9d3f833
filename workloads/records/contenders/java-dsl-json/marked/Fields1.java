// Written by workloads/records/write_types.py.
package marked;

import com.dslplatform.json.CompiledJson;
import java.util.function.IntToLongFunction;

/** A record of 1. */
@CompiledJson
public record Fields1(
        long field01) {
    /** Every field is the value of its number. */
    public static Fields1 of(IntToLongFunction value) {
        return new Fields1(
            value.applyAsLong(0));
    }
}
