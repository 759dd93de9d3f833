use capnp::Result;
use inputs::{Job, Random};

use crate::jobs_capnp::{car, parking_lot, total_value, Color};
use crate::modes::Exchange;

/// The value of all cars in a parking lot.
pub struct Carsales;

impl Exchange for Carsales {
    type Request = parking_lot::Owned;
    type Response = total_value::Owned;

    fn ask(input: usize, request: parking_lot::Builder<'_>) -> Result<()> {
        let mut random = Random::new(Job::Carsales, input);
        let count = inputs::car_count(&mut random);
        let mut cars = request.init_cars(count);
        for i in 0..count {
            fill(&inputs::next_car(&mut random), cars.reborrow().get(i))?;
        }
        Ok(())
    }

    fn serve(request: parking_lot::Reader<'_>, mut response: total_value::Builder<'_>) -> Result<()> {
        let mut amount = 0;
        for car in request.get_cars()? {
            amount += value(car)?;
        }
        response.set_amount(amount);
        Ok(())
    }

    fn answer(response: total_value::Reader<'_>) -> Result<u64> {
        Ok(response.get_amount())
    }
}

fn fill(from: &inputs::Car, mut to: car::Builder<'_>) -> Result<()> {
    to.set_make(from.make);
    to.set_model(from.model);
    to.set_color(Color::try_from(from.color)?);
    to.set_seats(from.seats);
    to.set_doors(from.doors);
    let mut wheels = to.reborrow().init_wheels(4);
    for (i, &pressure) in (0..).zip(&from.pressure) {
        let mut wheel = wheels.reborrow().get(i);
        wheel.set_diameter(from.diameter);
        wheel.set_pressure(pressure);
        wheel.set_snow_tires(from.snow_tires);
    }
    to.set_length(from.length);
    to.set_width(from.width);
    to.set_height(from.height);
    to.set_weight(from.weight);
    let mut engine = to.reborrow().init_engine();
    engine.set_horsepower(from.horsepower);
    engine.set_cylinders(from.cylinders);
    engine.set_cc(from.cc);
    engine.set_uses_gas(from.uses_gas);
    engine.set_uses_electric(from.uses_electric);
    to.set_fuel_capacity(from.fuel_capacity);
    to.set_fuel_level(from.fuel_level);
    to.set_power_windows(from.power_windows);
    to.set_power_steering(from.power_steering);
    to.set_cruise_control(from.cruise_control);
    to.set_cup_holders(from.cup_holders);
    to.set_nav_system(from.nav_system);
    Ok(())
}

fn value(car: car::Reader<'_>) -> Result<u64> {
    let mut value = 7 * car.get_make()?.len() as u64 + 3 * car.get_model()?.len() as u64;
    value +=
        10 * car.get_color()? as u64 + 200 * u64::from(car.get_seats()) + 350 * u64::from(car.get_doors());
    for wheel in car.get_wheels()? {
        let diameter = u64::from(wheel.get_diameter());
        value += diameter * diameter + wheel.get_pressure() as u64 + 100 * u64::from(wheel.get_snow_tires());
    }
    value += u64::from(car.get_length()) * u64::from(car.get_width()) * u64::from(car.get_height()) / 50;
    value += u64::from(car.get_weight() / 4);
    let engine = car.get_engine()?;
    value += 40 * u64::from(engine.get_horsepower()) + 50 * u64::from(engine.get_cylinders());
    value += u64::from(engine.get_cc() / 10);
    if engine.get_uses_electric() {
        value += if engine.get_uses_gas() { 5000 } else { 3000 };
    }
    value += car.get_fuel_capacity() as u64 + 2 * (car.get_fuel_level() as u64);
    value += 100 * u64::from(car.get_power_windows()) + 200 * u64::from(car.get_power_steering());
    value += 400 * u64::from(car.get_cruise_control()) + 2000 * u64::from(car.get_nav_system());
    Ok(value + 25 * u64::from(car.get_cup_holders()))
}
