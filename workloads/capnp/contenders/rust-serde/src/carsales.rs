use std::borrow::Cow;

use inputs::{Job, Random};
use serde::{Deserialize, Serialize};

use crate::modes::Exchange;

/// The value of all cars in a parking lot.
pub struct Carsales;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParkingLot<'a> {
    #[serde(borrow)]
    cars: Vec<Car<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TotalValue {
    amount: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Car<'a> {
    #[serde(borrow)]
    make: Cow<'a, str>,
    #[serde(borrow)]
    model: Cow<'a, str>,
    color: u16,
    seats: u8,
    doors: u8,
    wheels: Vec<Wheel>,
    length: u16,
    width: u16,
    height: u16,
    weight: u32,
    engine: Engine,
    fuel_capacity: f32,
    fuel_level: f32,
    power_windows: bool,
    power_steering: bool,
    cruise_control: bool,
    cup_holders: u8,
    nav_system: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wheel {
    diameter: u16,
    pressure: f32,
    snow_tires: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Engine {
    horsepower: u16,
    cylinders: u8,
    cc: u32,
    uses_gas: bool,
    uses_electric: bool,
}

impl Exchange for Carsales {
    type Request<'a> = ParkingLot<'a>;
    type Response<'a> = TotalValue;

    fn ask(input: usize) -> ParkingLot<'static> {
        let mut random = Random::new(Job::Carsales, input);
        let count = inputs::car_count(&mut random);
        let cars = (0..count).map(|_| inputs::next_car(&mut random).into()).collect();
        ParkingLot { cars }
    }

    fn serve(request: Self::Request<'_>) -> Self::Response<'_> {
        TotalValue {
            amount: request.cars.iter().map(Car::value).sum(),
        }
    }

    fn answer(response: Self::Response<'_>) -> u64 {
        response.amount
    }
}

impl From<inputs::Car> for Car<'static> {
    fn from(from: inputs::Car) -> Self {
        let wheel = |pressure| Wheel {
            diameter: from.diameter,
            pressure,
            snow_tires: from.snow_tires,
        };
        Self {
            make: from.make.into(),
            model: from.model.into(),
            color: from.color,
            seats: from.seats,
            doors: from.doors,
            wheels: from.pressure.into_iter().map(wheel).collect(),
            length: from.length,
            width: from.width,
            height: from.height,
            weight: from.weight,
            engine: Engine {
                horsepower: from.horsepower,
                cylinders: from.cylinders,
                cc: from.cc,
                uses_gas: from.uses_gas,
                uses_electric: from.uses_electric,
            },
            fuel_capacity: from.fuel_capacity,
            fuel_level: from.fuel_level,
            power_windows: from.power_windows,
            power_steering: from.power_steering,
            cruise_control: from.cruise_control,
            cup_holders: from.cup_holders,
            nav_system: from.nav_system,
        }
    }
}

impl Car<'_> {
    fn value(&self) -> u64 {
        let mut value = 7 * self.make.len() as u64 + 3 * self.model.len() as u64;
        value += 10 * u64::from(self.color) + 200 * u64::from(self.seats) + 350 * u64::from(self.doors);
        value += self.wheels.iter().map(Wheel::value).sum::<u64>();
        value += u64::from(self.length) * u64::from(self.width) * u64::from(self.height) / 50;
        value += u64::from(self.weight / 4) + self.engine.value();
        value += self.fuel_capacity as u64 + 2 * (self.fuel_level as u64);
        value += 100 * u64::from(self.power_windows) + 200 * u64::from(self.power_steering);
        value += 400 * u64::from(self.cruise_control) + 2000 * u64::from(self.nav_system);
        value + 25 * u64::from(self.cup_holders)
    }
}

impl Wheel {
    fn value(&self) -> u64 {
        let diameter = u64::from(self.diameter);
        diameter * diameter + self.pressure as u64 + 100 * u64::from(self.snow_tires)
    }
}

impl Engine {
    fn value(&self) -> u64 {
        let size = 40 * u64::from(self.horsepower) + 50 * u64::from(self.cylinders) + u64::from(self.cc / 10);
        size + match (self.uses_electric, self.uses_gas) {
            (true, true) => 5000,
            (true, false) => 3000,
            (false, _) => 0,
        }
    }
}
