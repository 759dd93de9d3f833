package main

import (
	"capnproto.org/go/capnp/v3"
	"tare/capnp/jobs"
	inputs "tare/capnp/with/for-go"
)

// The value of all cars in a parking lot.
type carsales struct{}

func (carsales) ask(input int, segment *capnp.Segment) error {
	random := inputs.NewRandom(inputs.Carsales, input)
	lot, err := jobs.NewRootParkingLot(segment)
	if err != nil {
		return err
	}
	count := inputs.CarCount(random)
	cars, err := lot.NewCars(int32(count))
	if err != nil {
		return err
	}
	var car inputs.Car
	for i := 0; i < count; i++ {
		car.Draw(random)
		if err := fill(&car, cars.At(i)); err != nil {
			return err
		}
	}
	return nil
}

func (carsales) serve(request *capnp.Message, segment *capnp.Segment) error {
	lot, err := jobs.ReadRootParkingLot(request)
	if err != nil {
		return err
	}
	cars, err := lot.Cars()
	if err != nil {
		return err
	}
	amount := uint64(0)
	for i := 0; i < cars.Len(); i++ {
		value, err := value(cars.At(i))
		if err != nil {
			return err
		}
		amount += value
	}
	total, err := jobs.NewRootTotalValue(segment)
	total.SetAmount(amount)
	return err
}

func (carsales) answer(response *capnp.Message) (uint64, error) {
	total, err := jobs.ReadRootTotalValue(response)
	if err != nil {
		return 0, err
	}
	return total.Amount(), nil
}

func fill(from *inputs.Car, to jobs.Car) error {
	if err := to.SetMake(from.Make); err != nil {
		return err
	}
	if err := to.SetModel(from.Model); err != nil {
		return err
	}
	to.SetColor(jobs.Color(from.Color))
	to.SetSeats(uint8(from.Seats))
	to.SetDoors(uint8(from.Doors))
	wheels, err := to.NewWheels(4)
	if err != nil {
		return err
	}
	for i, pressure := range from.Pressure {
		wheel := wheels.At(i)
		wheel.SetDiameter(uint16(from.Diameter))
		wheel.SetPressure(pressure)
		wheel.SetSnowTires(from.SnowTires)
	}
	to.SetLength(uint16(from.Length))
	to.SetWidth(uint16(from.Width))
	to.SetHeight(uint16(from.Height))
	to.SetWeight(from.Weight)
	engine, err := to.NewEngine()
	if err != nil {
		return err
	}
	engine.SetHorsepower(uint16(from.Horsepower))
	engine.SetCylinders(uint8(from.Cylinders))
	engine.SetCc(from.CC)
	engine.SetUsesGas(from.UsesGas)
	engine.SetUsesElectric(from.UsesElectric)
	to.SetFuelCapacity(from.FuelCapacity)
	to.SetFuelLevel(from.FuelLevel)
	to.SetPowerWindows(from.PowerWindows)
	to.SetPowerSteering(from.PowerSteering)
	to.SetCruiseControl(from.CruiseControl)
	to.SetCupHolders(uint8(from.CupHolders))
	to.SetNavSystem(from.NavSystem)
	return nil
}

func value(car jobs.Car) (uint64, error) {
	maker, err := car.MakeBytes()
	if err != nil {
		return 0, err
	}
	model, err := car.ModelBytes()
	if err != nil {
		return 0, err
	}
	wheels, err := car.Wheels()
	if err != nil {
		return 0, err
	}
	engine, err := car.Engine()
	if err != nil {
		return 0, err
	}
	value := 7*uint64(len(maker)) + 3*uint64(len(model)) + 10*uint64(car.Color())
	value += 200*uint64(car.Seats()) + 350*uint64(car.Doors())
	for i := 0; i < wheels.Len(); i++ {
		wheel := wheels.At(i)
		diameter := uint64(wheel.Diameter())
		value += diameter*diameter + uint64(wheel.Pressure()) + worth(wheel.SnowTires(), 100)
	}
	value += uint64(car.Length()) * uint64(car.Width()) * uint64(car.Height()) / 50
	value += uint64(car.Weight() / 4)
	value += 40*uint64(engine.Horsepower()) + 50*uint64(engine.Cylinders()) + uint64(engine.Cc()/10)
	if engine.UsesElectric() {
		value += worth(engine.UsesGas(), 5000) + worth(!engine.UsesGas(), 3000)
	}
	value += uint64(car.FuelCapacity()) + 2*uint64(car.FuelLevel())
	value += worth(car.PowerWindows(), 100) + worth(car.PowerSteering(), 200)
	value += worth(car.CruiseControl(), 400) + worth(car.NavSystem(), 2000)
	return value + 25*uint64(car.CupHolders()), nil
}

func worth(has bool, value uint64) uint64 {
	if has {
		return value
	}
	return 0
}
