package inputs

var makes = [8]string{"Altair", "Bellatrix", "Capella", "Deneb", "Electra", "Fomalhaut", "Gemma", "Hadar"}
var models = [8]string{"Kestrel", "Lynx", "Marten", "Nightjar", "Otter", "Plover", "Quail 3", "Redstart GT"}

// Car is one car, before it is in any message.
type Car struct {
	Make, Model                                                                             string
	Color, Seats, Doors, Diameter                                                           uint32
	SnowTires, UsesGas, UsesElectric, PowerWindows, PowerSteering, CruiseControl, NavSystem bool
	Pressure                                                                                [4]float32
	Length, Width, Height, Weight, Horsepower, Cylinders, CC                                uint32
	FuelCapacity, FuelLevel                                                                 float32
	CupHolders                                                                              uint32
}

// CarCount draws how many cars there are.
func CarCount(r *Random) int { return 1 + int(r.Below(200)) }

// Draw makes the next car in the same place.
func (c *Car) Draw(r *Random) {
	c.Make = makes[r.Below(8)]
	c.Model = models[r.Below(8)]
	c.Color = r.Below(8)
	c.Seats = 2 + r.Below(6)
	c.Doors = 2 + r.Below(3)
	c.Diameter = 14 + r.Below(9)
	flags := r.Next()
	c.SnowTires = flags&1 != 0
	c.UsesGas = flags&2 != 0
	c.UsesElectric = flags&4 != 0
	c.PowerWindows = flags&8 != 0
	c.PowerSteering = flags&16 != 0
	c.CruiseControl = flags&32 != 0
	c.NavSystem = flags&64 != 0
	for i := range c.Pressure {
		c.Pressure[i] = 24 + float32(r.Below(128))/8
	}
	c.Length = 170 + r.Below(150)
	c.Width = 48 + r.Below(36)
	c.Height = 54 + r.Below(48)
	c.Weight = 800 + r.Below(4000)
	c.Horsepower = 50 + r.Below(450)
	c.Cylinders = 3 + r.Below(10)
	c.CC = 800 + r.Below(10000)
	c.FuelCapacity = 8 + float32(r.Below(256))/8
	c.FuelLevel = c.FuelCapacity * (float32(r.Below(257)) / 256)
	c.CupHolders = r.Below(13)
}
