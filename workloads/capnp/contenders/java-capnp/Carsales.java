import jobs.Jobs;
import org.capnproto.StructFactory;
import org.capnproto.StructList;

/** The value of all cars in a parking lot. */
final class Carsales
        implements Exchange<
            Jobs.ParkingLot.Builder, Jobs.ParkingLot.Reader, Jobs.TotalValue.Builder, Jobs.TotalValue.Reader> {
    private static final Jobs.Color[] COLORS = Jobs.Color.values();

    private final CarInput input = new CarInput();

    @Override
    public StructFactory<Jobs.ParkingLot.Builder, Jobs.ParkingLot.Reader> request() {
        return Jobs.ParkingLot.factory;
    }

    @Override
    public StructFactory<Jobs.TotalValue.Builder, Jobs.TotalValue.Reader> response() {
        return Jobs.TotalValue.factory;
    }

    @Override
    public void ask(int number, Jobs.ParkingLot.Builder request) {
        Draws draws = new Draws(Draws.CARSALES, number);
        for (Jobs.Car.Builder car : request.initCars(CarInput.count(draws))) {
            input.draw(draws);
            fill(input, car);
        }
    }

    @Override
    public void serve(Jobs.ParkingLot.Reader request, Jobs.TotalValue.Builder response) {
        long amount = 0;
        for (Jobs.Car.Reader car : request.getCars()) {
            amount += value(car);
        }
        response.setAmount(amount);
    }

    @Override
    public long answer(Jobs.TotalValue.Reader response) {
        return response.getAmount();
    }

    private static void fill(CarInput from, Jobs.Car.Builder to) {
        to.setMake(from.make);
        to.setModel(from.model);
        to.setColor(COLORS[from.color]);
        to.setSeats((byte) from.seats);
        to.setDoors((byte) from.doors);
        StructList.Builder<Jobs.Wheel.Builder> wheels = to.initWheels(4);
        for (int i = 0; i < 4; i++) {
            Jobs.Wheel.Builder wheel = wheels.get(i);
            wheel.setDiameter((short) from.diameter);
            wheel.setPressure(from.pressure[i]);
            wheel.setSnowTires(from.snowTires);
        }
        to.setLength((short) from.length);
        to.setWidth((short) from.width);
        to.setHeight((short) from.height);
        to.setWeight(from.weight);
        Jobs.Engine.Builder engine = to.initEngine();
        engine.setHorsepower((short) from.horsepower);
        engine.setCylinders((byte) from.cylinders);
        engine.setCc(from.cc);
        engine.setUsesGas(from.usesGas);
        engine.setUsesElectric(from.usesElectric);
        to.setFuelCapacity(from.fuelCapacity);
        to.setFuelLevel(from.fuelLevel);
        to.setPowerWindows(from.powerWindows);
        to.setPowerSteering(from.powerSteering);
        to.setCruiseControl(from.cruiseControl);
        to.setCupHolders((byte) from.cupHolders);
        to.setNavSystem(from.navSystem);
    }

    /** The format's unsigned numbers are Java's signed ones of the same size. */
    private static long value(Jobs.Car.Reader car) {
        long value = 7 * car.getMake().size() + 3 * car.getModel().size() + 10 * car.getColor().ordinal();
        value += 200 * Byte.toUnsignedInt(car.getSeats()) + 350 * Byte.toUnsignedInt(car.getDoors());
        for (Jobs.Wheel.Reader wheel : car.getWheels()) {
            int diameter = Short.toUnsignedInt(wheel.getDiameter());
            value += diameter * diameter + (int) wheel.getPressure() + (wheel.getSnowTires() ? 100 : 0);
        }
        value += (long) Short.toUnsignedInt(car.getLength()) * Short.toUnsignedInt(car.getWidth())
            * Short.toUnsignedInt(car.getHeight()) / 50;
        value += Integer.toUnsignedLong(car.getWeight()) / 4;
        Jobs.Engine.Reader engine = car.getEngine();
        value += 40 * Short.toUnsignedInt(engine.getHorsepower()) + 50 * Byte.toUnsignedInt(engine.getCylinders());
        value += Integer.toUnsignedLong(engine.getCc()) / 10;
        if (engine.getUsesElectric()) {
            value += engine.getUsesGas() ? 5000 : 3000;
        }
        value += (int) car.getFuelCapacity() + 2 * (int) car.getFuelLevel();
        value += (car.getPowerWindows() ? 100 : 0) + (car.getPowerSteering() ? 200 : 0);
        value += (car.getCruiseControl() ? 400 : 0) + (car.getNavSystem() ? 2000 : 0);
        return value + 25 * Byte.toUnsignedInt(car.getCupHolders());
    }
}
