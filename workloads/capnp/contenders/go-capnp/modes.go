package main

import (
	"bufio"
	"io"

	"capnproto.org/go/capnp/v3"
)

// An exchange is one job: what its client asks, what its server does, and what its client reads.
type exchange interface {
	// The client builds a request.
	ask(input int, request *capnp.Segment) error

	// The server answers it.
	serve(request *capnp.Message, response *capnp.Segment) error

	// The client reads the response.
	answer(response *capnp.Message) (uint64, error)
}

// A framing is one of the two ways in which a message becomes bytes, and comes back.
type framing struct {
	name    string
	bytes   func(*capnp.Message) ([]byte, error)
	read    func([]byte) (*capnp.Message, error)
	encoder func(io.Writer) *capnp.Encoder
	decoder func(io.Reader) *capnp.Decoder
}

var plain = framing{
	"capnp", (*capnp.Message).Marshal, capnp.Unmarshal, capnp.NewEncoder, capnp.NewDecoder,
}

var packed = framing{
	"capnp-packed", (*capnp.Message).MarshalPacked, capnp.UnmarshalPacked, capnp.NewPackedEncoder,
	capnp.NewPackedDecoder,
}

func asked(x exchange, input int) (*capnp.Message, error) {
	message, segment, err := capnp.NewMessage(capnp.SingleSegment(nil))
	if err != nil {
		return nil, err
	}
	return message, x.ask(input, segment)
}

func served(x exchange, request *capnp.Message) (*capnp.Message, error) {
	message, segment, err := capnp.NewMessage(capnp.SingleSegment(nil))
	if err != nil {
		return nil, err
	}
	return message, x.serve(request, segment)
}

// object: both messages are read where they were built.
func inPlace(x exchange, input int) (uint64, error) {
	request, err := asked(x, input)
	if err != nil {
		return 0, err
	}
	response, err := served(x, request)
	if err != nil {
		return 0, err
	}
	return x.answer(response)
}

// bytes, bytes-packed: both messages become bytes and are read from these.
func inBytes(x exchange, framing framing, input int) (uint64, error) {
	bytes, err := request(x, framing, input)
	if err != nil {
		return 0, err
	}
	return read(x, framing, bytes)
}

// The request of one input, as bytes.
func request(x exchange, framing framing, input int) ([]byte, error) {
	request, err := asked(x, input)
	if err != nil {
		return nil, err
	}
	return framing.bytes(request)
}

// The answer to a request in bytes.
func read(x exchange, framing framing, bytes []byte) (uint64, error) {
	request, err := framing.read(bytes)
	if err != nil {
		return 0, err
	}
	response, err := served(x, request)
	if err != nil {
		return 0, err
	}
	bytes, err = framing.bytes(response)
	if err != nil {
		return 0, err
	}
	received, err := framing.read(bytes)
	if err != nil {
		return 0, err
	}
	return x.answer(received)
}

// pipe, pipe-packed, the client's side.
type client struct {
	job     exchange
	out     *bufio.Writer
	encoder *capnp.Encoder
	decoder *capnp.Decoder
}

func newClient(x exchange, framing framing, in io.Reader, out io.Writer) *client {
	buffered := bufio.NewWriterSize(out, 1<<16)
	return &client{x, buffered, framing.encoder(buffered), framing.decoder(bufio.NewReaderSize(in, 1<<16))}
}

func (c *client) exchange(input int) (uint64, error) {
	request, err := asked(c.job, input)
	if err != nil {
		return 0, err
	}
	if err := c.encoder.Encode(request); err != nil {
		return 0, err
	}
	if err := c.out.Flush(); err != nil {
		return 0, err
	}
	response, err := c.decoder.Decode()
	if err != nil {
		return 0, err
	}
	return c.job.answer(response)
}

// pipe, pipe-packed, the server's side: until its input ends.
func respond(x exchange, framing framing, in io.Reader, out io.Writer) error {
	buffered := bufio.NewWriterSize(out, 1<<16)
	encoder, decoder := framing.encoder(buffered), framing.decoder(bufio.NewReaderSize(in, 1<<16))
	for {
		request, err := decoder.Decode()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		response, err := served(x, request)
		if err != nil {
			return err
		}
		if err := encoder.Encode(response); err != nil {
			return err
		}
		if err := buffered.Flush(); err != nil {
			return err
		}
	}
}
