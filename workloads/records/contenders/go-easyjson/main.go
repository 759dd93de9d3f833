// Records to JSON by the encoders that easyjson wrote for their types.
package main

import (
	"github.com/mailru/easyjson"

	"easy/types"
	probe "easy/with/go"
	records "easy/with/types-go"
)

func main() {
	kit := probe.New()
	add[types.Fields1](kit, 1)
	add[types.Fields2](kit, 2)
	add[types.Fields5](kit, 5)
	add[types.Fields10](kit, 10)
	add[types.Fields15](kit, 15)
	add[types.Fields20](kit, 20)
	add[types.Fields25](kit, 25)
	add[types.Fields35](kit, 35)
	add[types.Fields50](kit, 50)
	kit.Only(records.SizeOfCase())
	kit.Serve()
}

type marked[R any] interface {
	records.Filled[R]
	easyjson.Marshaler
}

func add[R any, P marked[R]](kit *probe.Probe, size uint64) {
	inputs := records.Make[R, P]()
	kit.Sized(size, len(inputs), func(input int) []byte {
		encoded, err := easyjson.Marshal(P(&inputs[input]))
		if err != nil {
			panic(err)
		}
		return encoded
	})
}
