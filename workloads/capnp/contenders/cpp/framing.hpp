// The two ways in which a message becomes bytes, and comes back.
#pragma once

#include <string>

#include <capnp/message.h>
#include <capnp/serialize-packed.h>
#include <capnp/serialize.h>
#include <kj/io.h>

struct Plain {
    static constexpr const char *NAME = "capnp";

    // Calls `then` with a reader over the message's bytes.
    template <class Then> static void throughBytes(capnp::MessageBuilder &message, Then then) {
        kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
        capnp::FlatArrayMessageReader reader(words);
        then(reader);
    }

    static std::string bytes(capnp::MessageBuilder &message) {
        kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
        return {words.asChars().begin(), words.asChars().size()};
    }

    template <class Then> static void read(const std::string &bytes, Then then) {
        kj::ArrayInputStream stream(kj::arrayPtr(reinterpret_cast<const kj::byte *>(bytes.data()), bytes.size()));
        capnp::InputStreamMessageReader reader(stream);
        then(reader);
    }

    static void send(kj::OutputStream &stream, capnp::MessageBuilder &message) { capnp::writeMessage(stream, message); }

    using Received = capnp::InputStreamMessageReader;
};

struct Packed {
    static constexpr const char *NAME = "capnp-packed";

    template <class Then> static void throughBytes(capnp::MessageBuilder &message, Then then) {
        kj::VectorOutputStream packed(1 << 16);
        capnp::writePackedMessage(packed, message);
        kj::ArrayInputStream stream(packed.getArray());
        capnp::PackedMessageReader reader(stream);
        then(reader);
    }

    static std::string bytes(capnp::MessageBuilder &message) {
        kj::VectorOutputStream packed;
        capnp::writePackedMessage(packed, message);
        return {packed.getArray().asChars().begin(), packed.getArray().asChars().size()};
    }

    template <class Then> static void read(const std::string &bytes, Then then) {
        kj::ArrayInputStream stream(kj::arrayPtr(reinterpret_cast<const kj::byte *>(bytes.data()), bytes.size()));
        capnp::PackedMessageReader reader(stream);
        then(reader);
    }

    // Through a buffer: packing writes piece by piece.
    static void send(kj::OutputStream &stream, capnp::MessageBuilder &message) {
        kj::BufferedOutputStreamWrapper buffered(stream);
        capnp::writePackedMessage(buffered, message);
        buffered.flush();
    }

    using Received = capnp::PackedMessageReader;
};
