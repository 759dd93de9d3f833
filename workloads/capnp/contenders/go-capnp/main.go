// Main CASE ROLE: one case of the workload capnp on capnproto.org/go/capnp.
package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	inputs "tare/capnp/with/for-go"
	probe "tare/capnp/with/go"
)

var exchanges = map[string]exchange{"carsales": carsales{}, "catrank": catrank{}, "eval": eval{}}

func main() {
	if err := play(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func play(words []string) error {
	if len(words) != 2 {
		return fmt.Errorf("usage: main CASE ROLE")
	}
	job, mode, _ := strings.Cut(words[0], "-")
	exchange, known := exchanges[job]
	if !known {
		return fmt.Errorf("there is no job %q", job)
	}
	framing := plain
	if strings.HasSuffix(mode, "packed") {
		framing = packed
	}
	switch mode {
	case "object":
		serve(exchange, framing, func(input int) (uint64, error) { return inPlace(exchange, input) })
	case "bytes", "bytes-packed":
		serve(exchange, framing, func(input int) (uint64, error) { return inBytes(exchange, framing, input) })
	case "pipe", "pipe-packed":
		return pipe(exchange, framing, words[1])
	default:
		return fmt.Errorf("there is no mode %q", mode)
	}
	return nil
}

func pipe(exchange exchange, framing framing, role string) error {
	if role == "server" {
		return respond(exchange, framing, os.Stdin, os.Stdout)
	}
	out, err := os.OpenFile(os.Getenv("TARE_PIPE_OUT"), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	in, err := os.Open(os.Getenv("TARE_PIPE_IN"))
	if err != nil {
		return err
	}
	client := newClient(exchange, framing, in, out)
	serve(exchange, framing, client.exchange)
	return nil
}

// The commands of the probe protocol, and three for the check: which format, a request as bytes, and the answer to a
// request that somebody else has written.
func serve(exchange exchange, framing framing, once func(input int) (uint64, error)) {
	kit := probe.New()
	kit.Job(inputs.Kinds, func(input int) []byte {
		answer, err := once(input)
		if err != nil {
			panic(err)
		}
		return probe.Number(answer)
	})
	kit.Command("format", func(string) ([]byte, error) { return []byte(framing.name), nil })
	kit.Command("bytes", func(word string) ([]byte, error) {
		input, err := strconv.Atoi(word)
		if err != nil {
			return nil, err
		}
		return request(exchange, framing, input)
	})
	kit.Command("read", func(word string) ([]byte, error) {
		bytes, err := hex.DecodeString(word)
		if err != nil {
			return nil, err
		}
		answer, err := read(exchange, framing, bytes)
		return probe.Number(answer), err
	})
	kit.Serve()
}
