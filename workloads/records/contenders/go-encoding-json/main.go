// Records to JSON by the standard library.
package main

import (
	"encoding/json"

	probe "encodingjson/with/go"
	records "encodingjson/with/types-go"
)

func main() {
	kit := probe.New()
	add[records.Fields1](kit, 1)
	add[records.Fields2](kit, 2)
	add[records.Fields5](kit, 5)
	add[records.Fields10](kit, 10)
	add[records.Fields15](kit, 15)
	add[records.Fields20](kit, 20)
	add[records.Fields25](kit, 25)
	add[records.Fields35](kit, 35)
	add[records.Fields50](kit, 50)
	kit.Only(records.SizeOfCase())
	kit.Serve()
}

func add[R any, P records.Filled[R]](kit *probe.Probe, size uint64) {
	inputs := records.Make[R, P]()
	kit.Sized(size, len(inputs), func(input int) []byte {
		encoded, err := json.Marshal(&inputs[input])
		if err != nil {
			panic(err)
		}
		return encoded
	})
}
