import wire.MessageIn;
import wire.MessageOut;
import wire.StructBuilder;
import wire.StructList;
import wire.StructListBuilder;
import wire.StructReader;
import wire.Text;

/** The value of all cars in a parking lot. */
final class Carsales implements Exchange {
    private final CarInput input = new CarInput();
    private final LotBuilder newLot = new LotBuilder();
    private final TotalBuilder newTotal = new TotalBuilder();
    private final LotReader lot = new LotReader();
    private final TotalReader total = new TotalReader();

    @Override
    public void ask(int number, MessageOut request) {
        Draws draws = new Draws(Draws.CARSALES, number);
        int count = CarInput.count(draws);
        StructListBuilder<CarBuilder> cars = request.root(newLot).cars(count);
        for (int i = 0; i < count; i++) {
            input.draw(draws);
            cars.at(i).fill(input);
        }
    }

    @Override
    public void serve(MessageIn request, MessageOut response) {
        StructList<CarReader> cars = request.root(lot).cars();
        long amount = 0;
        for (int i = 0; i < cars.size(); i++) {
            amount += value(cars.at(i));
        }
        response.root(newTotal).amount(amount);
    }

    @Override
    public long answer(MessageIn response) {
        return response.root(total).amount();
    }

    // In parts that the compiler can take whole: one that has all of a car's fields is over its limit for inlining, and
    // then the fields that come last are read by calls.

    private static long value(CarReader car) {
        return body(car) + wheels(car.wheels()) + engine(car.engine()) + comfort(car);
    }

    private static long body(CarReader car) {
        long value = 7 * car.make().size() + 3 * car.model().size();
        value += 10 * car.color() + 200 * car.seats() + 350 * car.doors();
        return value + (long) car.length() * car.width() * car.height() / 50 + car.weight() / 4;
    }

    private static long wheels(StructList<WheelReader> wheels) {
        long value = 0;
        for (int i = 0; i < wheels.size(); i++) {
            WheelReader wheel = wheels.at(i);
            int diameter = wheel.diameter();
            value += diameter * diameter + (int) wheel.pressure() + (wheel.snowTires() ? 100 : 0);
        }
        return value;
    }

    private static long engine(EngineReader engine) {
        long value = 40 * engine.horsepower() + 50 * engine.cylinders() + engine.cc() / 10;
        return value + (engine.usesElectric() ? engine.usesGas() ? 5000 : 3000 : 0);
    }

    private static long comfort(CarReader car) {
        long value = (int) car.fuelCapacity() + 2 * (int) car.fuelLevel();
        value += (car.powerWindows() ? 100 : 0) + (car.powerSteering() ? 200 : 0);
        value += (car.cruiseControl() ? 400 : 0) + (car.navSystem() ? 2000 : 0);
        return value + 25 * car.cupHolders();
    }

    // Where the schema's fields lie: in bytes, in bits for what is a bit, in pointers for what is behind one.

    private static final class WheelReader extends StructReader {
        int diameter() {
            return u16(0);
        }

        boolean snowTires() {
            return bit(16);
        }

        float pressure() {
            return f32(4);
        }
    }

    private static final class EngineReader extends StructReader {
        int horsepower() {
            return u16(0);
        }

        int cylinders() {
            return u8(2);
        }

        boolean usesGas() {
            return bit(24);
        }

        boolean usesElectric() {
            return bit(25);
        }

        long cc() {
            return u32(4);
        }
    }

    private static final class CarReader extends StructReader {
        private final Text make = new Text();
        private final Text model = new Text();
        private final StructList<WheelReader> wheels = new StructList<>(new WheelReader());
        private final EngineReader engine = new EngineReader();

        Text make() {
            return text(0, make);
        }

        Text model() {
            return text(1, model);
        }

        StructList<WheelReader> wheels() {
            return list(2, wheels);
        }

        EngineReader engine() {
            return struct(3, engine);
        }

        int color() {
            return u16(0);
        }

        int seats() {
            return u8(2);
        }

        int doors() {
            return u8(3);
        }

        int length() {
            return u16(4);
        }

        int width() {
            return u16(6);
        }

        int height() {
            return u16(8);
        }

        boolean powerWindows() {
            return bit(80);
        }

        boolean powerSteering() {
            return bit(81);
        }

        boolean cruiseControl() {
            return bit(82);
        }

        boolean navSystem() {
            return bit(83);
        }

        int cupHolders() {
            return u8(11);
        }

        long weight() {
            return u32(12);
        }

        float fuelCapacity() {
            return f32(16);
        }

        float fuelLevel() {
            return f32(20);
        }
    }

    private static final class LotReader extends StructReader {
        private final StructList<CarReader> cars = new StructList<>(new CarReader());

        StructList<CarReader> cars() {
            return list(0, cars);
        }
    }

    private static final class TotalReader extends StructReader {
        long amount() {
            return i64(0);
        }
    }

    private static final class WheelBuilder extends StructBuilder {
        WheelBuilder() {
            super(1, 0);
        }

        void fill(int diameter, float pressure, boolean snowTires) {
            put16(0, diameter);
            putBit(16, snowTires);
            put(4, pressure);
        }
    }

    private static final class EngineBuilder extends StructBuilder {
        EngineBuilder() {
            super(1, 0);
        }

        void fill(CarInput from) {
            put16(0, from.horsepower);
            put8(2, from.cylinders);
            putBit(24, from.usesGas);
            putBit(25, from.usesElectric);
            put32(4, from.cc);
        }
    }

    private static final class CarBuilder extends StructBuilder {
        private final StructListBuilder<WheelBuilder> wheels = new StructListBuilder<>(new WheelBuilder());
        private final EngineBuilder engine = new EngineBuilder();

        CarBuilder() {
            super(3, 4);
        }

        void fill(CarInput from) {
            body(from);
            list(2, 4, wheels);
            for (int i = 0; i < 4; i++) {
                wheels.at(i).fill(from.diameter, from.pressure[i], from.snowTires);
            }
            struct(3, engine).fill(from);
            comfort(from);
        }

        private void body(CarInput from) {
            text(0, from.make);
            text(1, from.model);
            put16(0, from.color);
            put8(2, from.seats);
            put8(3, from.doors);
            put16(4, from.length);
            put16(6, from.width);
            put16(8, from.height);
            put32(12, from.weight);
        }

        private void comfort(CarInput from) {
            put(16, from.fuelCapacity);
            put(20, from.fuelLevel);
            putBit(80, from.powerWindows);
            putBit(81, from.powerSteering);
            putBit(82, from.cruiseControl);
            putBit(83, from.navSystem);
            put8(11, from.cupHolders);
        }
    }

    private static final class LotBuilder extends StructBuilder {
        private final StructListBuilder<CarBuilder> cars = new StructListBuilder<>(new CarBuilder());

        LotBuilder() {
            super(0, 1);
        }

        StructListBuilder<CarBuilder> cars(int count) {
            return list(0, count, cars);
        }
    }

    private static final class TotalBuilder extends StructBuilder {
        TotalBuilder() {
            super(1, 0);
        }

        void amount(long value) {
            put64(0, value);
        }
    }
}
