// One job without a size, two with, and a command: what every kit's example does.
package main

import (
	"bytes"
	"encoding/hex"
	"os"
	"strconv"

	probe "example/with/go"
)

func main() {
	kit := probe.New()
	kit.Job(64, func(input int) []byte {
		return strconv.AppendInt(nil, int64(input)*7919, 10)
	})
	kit.Sized(1, 7, func(input int) []byte {
		return bytes.Repeat([]byte{'a' + byte(input)}, input)
	})
	kit.Sized(8, 7, func(input int) []byte {
		return probe.Number(uint64(input) - 1)
	})
	kit.Command("twice", func(word string) ([]byte, error) {
		once, err := hex.DecodeString(word)
		return bytes.Repeat(once, 2), err
	})
	if len(os.Args) > 1 {
		size, _ := strconv.ParseUint(os.Args[1], 10, 64)
		kit.Only(size)
	}
	kit.Serve()
}
