"""The ways from a request to the answer to it: in place, through bytes, through pipes."""

# Words that may be read of a message: an eighth of the library's own limit, over which Python takes ten seconds.
_MOST = 1 << 20


class Plain:
    """Words as they are."""

    name = "capnp"

    @staticmethod
    def write(message):
        return message.to_bytes()

    @staticmethod
    def read(struct, data, then):
        with struct.from_bytes(data, traversal_limit_in_words=_MOST) as message:
            return then(message)

    @staticmethod
    def send(message, stream):
        message.write(stream)

    @staticmethod
    def receive(struct, stream):
        return struct.read(stream, traversal_limit_in_words=_MOST)


class Packed:
    """Words without most of their zero bytes."""

    name = "capnp-packed"

    @staticmethod
    def write(message):
        return message.to_bytes_packed()

    @staticmethod
    def read(struct, data, then):
        return then(struct.from_bytes_packed(data, traversal_limit_in_words=_MOST))

    @staticmethod
    def send(message, stream):
        message.write_packed(stream)

    @staticmethod
    def receive(struct, stream):
        return struct.read_packed(stream, traversal_limit_in_words=_MOST)


FRAMINGS = {framing.name: framing for framing in (Plain, Packed)}


class Modes:
    """One job in one framing."""

    def __init__(self, exchange, framing):
        self.exchange = exchange
        self.framing = framing

    def ask(self, number):
        """The request of one input."""
        request = self.exchange.request.new_message()
        self.exchange.ask(number, request)
        return request

    def respond(self, request):
        """The answer to a request, as a message."""
        response = self.exchange.response.new_message()
        self.exchange.serve(request, response)
        return response

    def in_place(self, number):
        """object: both messages are read where they were built."""
        request = self.ask(number)
        return self.exchange.answer(self.respond(request.as_reader()).as_reader())

    def in_bytes(self, number):
        """bytes, bytes-packed: both messages become bytes and are read from these."""
        return self.read(self.framing.write(self.ask(number)))

    def read(self, data):
        """The answer to a request in bytes."""
        response = self.framing.read(self.exchange.request, data, lambda r: self.framing.write(self.respond(r)))
        return self.framing.read(self.exchange.response, response, self.exchange.answer)

    def client(self, out, answers):
        """pipe, pipe-packed, the client's side."""

        def once(number):
            self.framing.send(self.ask(number), out)
            out.flush()
            return self.exchange.answer(self.framing.receive(self.exchange.response, answers))

        return once

    def serve(self, requests, out):
        """pipe, pipe-packed, the server's side: until its input ends."""
        struct = self.exchange.request
        read = struct.read_multiple_packed if self.framing is Packed else struct.read_multiple
        for request in read(requests, traversal_limit_in_words=_MOST):
            self.framing.send(self.respond(request), out)
            out.flush()
