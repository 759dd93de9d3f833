/** A car, before it is in any message. One object serves all: {@link #draw} makes the next one in it. */
public final class CarInput {
    private static final String[] MAKES =
        {"Altair", "Bellatrix", "Capella", "Deneb", "Electra", "Fomalhaut", "Gemma", "Hadar"};
    private static final String[] MODELS =
        {"Kestrel", "Lynx", "Marten", "Nightjar", "Otter", "Plover", "Quail 3", "Redstart GT"};

    public String make;
    public String model;
    public int color;
    public int seats;
    public int doors;
    public int diameter;
    public boolean snowTires;
    public boolean usesGas;
    public boolean usesElectric;
    public boolean powerWindows;
    public boolean powerSteering;
    public boolean cruiseControl;
    public boolean navSystem;
    public final float[] pressure = new float[4];
    public int length;
    public int width;
    public int height;
    public int weight;
    public int horsepower;
    public int cylinders;
    public int cc;
    public float fuelCapacity;
    public float fuelLevel;
    public int cupHolders;

    /** How many cars there are in the input that begins here. */
    public static int count(Draws draws) {
        return 1 + draws.below(200);
    }

    public void draw(Draws draws) {
        make = MAKES[draws.below(8)];
        model = MODELS[draws.below(8)];
        color = draws.below(8);
        seats = 2 + draws.below(6);
        doors = 2 + draws.below(3);
        diameter = 14 + draws.below(9);
        int flags = draws.next();
        snowTires = (flags & 1) != 0;
        usesGas = (flags & 2) != 0;
        usesElectric = (flags & 4) != 0;
        powerWindows = (flags & 8) != 0;
        powerSteering = (flags & 16) != 0;
        cruiseControl = (flags & 32) != 0;
        navSystem = (flags & 64) != 0;
        for (int wheel = 0; wheel < 4; wheel++) {
            pressure[wheel] = 24 + draws.below(128) / 8.0f;
        }
        length = 170 + draws.below(150);
        width = 48 + draws.below(36);
        height = 54 + draws.below(48);
        weight = 800 + draws.below(4000);
        horsepower = 50 + draws.below(450);
        cylinders = 3 + draws.below(10);
        cc = 800 + draws.below(10000);
        fuelCapacity = 8 + draws.below(256) / 8.0f;
        fuelLevel = fuelCapacity * (draws.below(257) / 256.0f);
        cupHolders = draws.below(13);
    }
}
