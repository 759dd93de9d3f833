package records;

import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/** The records of a case: their values, and how many fields they have. */
public final class Records {
    /** Records in a job. */
    public static final int COUNT = 64;

    /** Fields of the largest record: those of smaller ones are its first. */
    private static final int FIELDS = 50;

    private Records() {}

    /** The records of one size, in an array of theirs: {@code make(Fields5::of, Fields5[]::new)}. */
    public static <R> R[] make(Function<IntToLongFunction, R> of, IntFunction<R[]> array) {
        R[] made = array.apply(COUNT);
        for (int at = 0; at < COUNT; at++) {
            int record = at;
            made[at] = of.apply(field -> value(record, field));
        }
        return made;
    }

    /**
     * The size of the case that the process was started for: {@code 25-fields} has one, the sweep {@code fields} has
     * none, and none is 0.
     */
    public static long sizeOfCase(String[] arguments) {
        String size = arguments.length == 0 ? "" : arguments[0].split("-")[0];
        return size.matches("[0-9]+") ? Long.parseLong(size) : 0;
    }

    /** The value of a field of a record, as the workload's page has it. */
    private static long value(int record, int field) {
        long z = splitmix64((long) record * FIELDS + field);
        long power = 1;
        for (long digit = Long.remainderUnsigned(z, 9); digit > 0; digit--) {
            power *= 10;
        }
        long least = power == 1 ? 0 : power;
        long magnitude = least + (z >>> 8) % (power * 10 - least);
        return z >>> 61 == 0 ? -magnitude : magnitude;
    }

    /** The output with that number, counted from 0, of the generator seeded with 1. */
    private static long splitmix64(long number) {
        long z = 1 + (number + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
