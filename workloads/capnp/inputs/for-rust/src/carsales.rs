use crate::Random;

const MAKES: [&str; 8] = [
    "Altair",
    "Bellatrix",
    "Capella",
    "Deneb",
    "Electra",
    "Fomalhaut",
    "Gemma",
    "Hadar",
];
const MODELS: [&str; 8] = [
    "Kestrel",
    "Lynx",
    "Marten",
    "Nightjar",
    "Otter",
    "Plover",
    "Quail 3",
    "Redstart GT",
];

/// One car, before it is in any message.
pub struct Car {
    pub make: &'static str,
    pub model: &'static str,
    pub color: u16,
    pub seats: u8,
    pub doors: u8,
    pub diameter: u16,
    pub snow_tires: bool,
    pub uses_gas: bool,
    pub uses_electric: bool,
    pub power_windows: bool,
    pub power_steering: bool,
    pub cruise_control: bool,
    pub nav_system: bool,
    pub pressure: [f32; 4],
    pub length: u16,
    pub width: u16,
    pub height: u16,
    pub weight: u32,
    pub horsepower: u16,
    pub cylinders: u8,
    pub cc: u32,
    pub fuel_capacity: f32,
    pub fuel_level: f32,
    pub cup_holders: u8,
}

#[inline]
pub fn car_count(random: &mut Random) -> u32 {
    1 + random.below(200)
}

/// The fields are drawn in the order in which they stand here.
#[inline]
pub fn next_car(random: &mut Random) -> Car {
    let make = MAKES[random.below(8) as usize];
    let model = MODELS[random.below(8) as usize];
    let color = random.below(8) as u16;
    let seats = 2 + random.below(6) as u8;
    let doors = 2 + random.below(3) as u8;
    let diameter = 14 + random.below(9) as u16;
    let flags = random.next();
    let pressure = [(); 4].map(|()| 24.0 + random.below(128) as f32 / 8.0);
    let length = 170 + random.below(150) as u16;
    let width = 48 + random.below(36) as u16;
    let height = 54 + random.below(48) as u16;
    let weight = 800 + random.below(4000);
    let horsepower = 50 + random.below(450) as u16;
    let cylinders = 3 + random.below(10) as u8;
    let cc = 800 + random.below(10000);
    let fuel_capacity = 8.0 + random.below(256) as f32 / 8.0;
    let fuel_level = fuel_capacity * (random.below(257) as f32 / 256.0);
    let cup_holders = random.below(13) as u8;
    Car {
        make,
        model,
        color,
        seats,
        doors,
        diameter,
        snow_tires: flags & 1 != 0,
        uses_gas: flags & 2 != 0,
        uses_electric: flags & 4 != 0,
        power_windows: flags & 8 != 0,
        power_steering: flags & 16 != 0,
        cruise_control: flags & 32 != 0,
        nav_system: flags & 64 != 0,
        pressure,
        length,
        width,
        height,
        weight,
        horsepower,
        cylinders,
        cc,
        fuel_capacity,
        fuel_level,
        cup_holders,
    }
}
