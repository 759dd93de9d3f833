// Records to JSON by hand.
package main

import (
	probe "hand/with/go"
	records "hand/with/types-go"
)

func main() {
	kit := probe.New()
	add(kit, 1, encode1)
	add(kit, 2, encode2)
	add(kit, 5, encode5)
	add(kit, 10, encode10)
	add(kit, 15, encode15)
	add(kit, 20, encode20)
	add(kit, 25, encode25)
	add(kit, 35, encode35)
	add(kit, 50, encode50)
	kit.Only(records.SizeOfCase())
	kit.Serve()
}

func add[R any, P records.Filled[R]](kit *probe.Probe, size uint64, encode func(P) []byte) {
	inputs := records.Make[R, P]()
	kit.Sized(size, len(inputs), func(input int) []byte { return encode(&inputs[input]) })
}
