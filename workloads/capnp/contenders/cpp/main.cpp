// jobs CASE ROLE fresh|scratch: one case of the workload `capnp` on Cap'n Proto's C++ library.
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <stdexcept>

#include "framing.hpp"
#include "jobs.hpp"
#include "with/cpp/probe.hpp"

namespace {

using capnp::word;

// Where messages are built: in memory of their own, or first in a piece that is used again (and that a builder
// leaves zeroed behind itself, as it needs it).
class Fresh {
public:
    capnp::MallocMessageBuilder builder() { return capnp::MallocMessageBuilder(); }
};

class Scratch {
public:
    Scratch() : words_(new word[SIZE]()) {}
    capnp::MallocMessageBuilder builder() {
        return capnp::MallocMessageBuilder(kj::arrayPtr(words_.get(), SIZE));
    }

private:
    // Larger than any message of the workload.
    static constexpr size_t SIZE = 1 << 16;
    std::unique_ptr<word[]> words_;
};

template <class Job> void respond(capnp::MessageReader &request, capnp::MessageBuilder &response) {
    Job::serve(request.getRoot<typename Job::Request>(), response.initRoot<typename Job::Response>());
}

template <class Job> uint64_t answer(capnp::MessageReader &response) {
    return Job::answer(response.getRoot<typename Job::Response>());
}

// object: both messages are read where they were built.
template <class Job, class Memory> class Object {
public:
    uint64_t operator()(uint32_t input) {
        auto request = requests_.builder();
        auto root = request.template initRoot<typename Job::Request>();
        Job::ask(input, root);
        auto response = responses_.builder();
        auto total = response.template initRoot<typename Job::Response>();
        Job::serve(root.asReader(), total);
        return Job::answer(total.asReader());
    }

private:
    Memory requests_, responses_;
};

// bytes, bytes-packed: both messages become bytes and are read from these.
template <class Job, class Memory, class Framing> class Bytes {
public:
    uint64_t operator()(uint32_t input) {
        auto request = requests_.builder();
        Job::ask(input, request.template initRoot<typename Job::Request>());
        uint64_t result = 0;
        Framing::throughBytes(request, [&](capnp::MessageReader &received) { result = exchange(received); });
        return result;
    }

    uint64_t exchange(capnp::MessageReader &request) {
        auto response = responses_.builder();
        respond<Job>(request, response);
        uint64_t result = 0;
        Framing::throughBytes(response, [&](capnp::MessageReader &received) { result = answer<Job>(received); });
        return result;
    }

private:
    Memory requests_, responses_;
};

int opened(const char *variable, int flags) {
    const char *path = std::getenv(variable);
    if (path == nullptr) throw std::runtime_error(std::string(variable) + " is not set");
    int fd = open(path, flags);
    if (fd < 0) throw std::runtime_error("cannot open " + std::string(path));
    return fd;
}

// pipe, pipe-packed, the client's side.
template <class Job, class Memory, class Framing> class Client {
public:
    uint64_t operator()(uint32_t input) {
        auto request = requests_.builder();
        Job::ask(input, request.template initRoot<typename Job::Request>());
        Framing::send(out_, request);
        typename Framing::Received response(buffered_);
        return answer<Job>(response);
    }

private:
    Memory requests_;
    kj::FdOutputStream out_{kj::AutoCloseFd(opened("TARE_PIPE_OUT", O_WRONLY))};
    kj::FdInputStream in_{kj::AutoCloseFd(opened("TARE_PIPE_IN", O_RDONLY))};
    kj::BufferedInputStreamWrapper buffered_{in_};
};

// pipe, pipe-packed, the server's side: until its input ends.
template <class Job, class Memory, class Framing> int serve() {
    kj::FdInputStream in(0);
    kj::BufferedInputStreamWrapper buffered(in);
    kj::FdOutputStream out(1);
    Memory responses;
    while (buffered.tryGetReadBuffer().size() > 0) {
        typename Framing::Received request(buffered);
        auto response = responses.builder();
        respond<Job>(request, response);
        Framing::send(out, response);
    }
    return 0;
}

// `bytes I`: the request as a message.
template <class Job, class Framing> std::string bytes(std::string_view argument) {
    capnp::MallocMessageBuilder request;
    Job::ask(probe::parse(argument), request.initRoot<typename Job::Request>());
    return Framing::bytes(request);
}

// `read HEX`: the answer to a request that somebody else has written.
template <class Job, class Framing> std::array<uint8_t, 8> read(std::string_view argument) {
    uint64_t result = 0;
    Framing::read(probe::unhex(argument), [&](capnp::MessageReader &request) {
        result = Bytes<Job, Fresh, Framing>().exchange(request);
    });
    return probe::number(result);
}

template <class Job, class Framing, class Once> int probed(Once once) {
    return probe::Probe()
        .job(inputs::KINDS, [&](size_t input) { return probe::number(once(static_cast<uint32_t>(input))); })
        .command("format", [](std::string_view) { return std::string_view(Framing::NAME); })
        .command("bytes", bytes<Job, Framing>)
        .command("read", read<Job, Framing>)
        .serve();
}

template <class Job, class Memory, class Framing> int piped(std::string_view role) {
    if (role == "server") return serve<Job, Memory, Framing>();
    Client<Job, Memory, Framing> client;
    return probed<Job, Framing>([&](uint32_t input) { return client(input); });
}

template <class Job, class Memory> int play(std::string_view mode, std::string_view role) {
    if (mode == "object") return probed<Job, Plain>(Object<Job, Memory>());
    if (mode == "bytes") return probed<Job, Plain>(Bytes<Job, Memory, Plain>());
    if (mode == "bytes-packed") return probed<Job, Packed>(Bytes<Job, Memory, Packed>());
    if (mode == "pipe") return piped<Job, Memory, Plain>(role);
    if (mode == "pipe-packed") return piped<Job, Memory, Packed>(role);
    throw std::runtime_error("there is no mode " + std::string(mode));
}

template <class Memory> int play(std::string_view job, std::string_view mode, std::string_view role) {
    if (job == "carsales") return play<Carsales, Memory>(mode, role);
    if (job == "catrank") return play<Catrank, Memory>(mode, role);
    if (job == "eval") return play<Eval, Memory>(mode, role);
    throw std::runtime_error("there is no job " + std::string(job));
}

} // namespace

int main(int count, char **arguments) try {
    if (count != 4) throw std::runtime_error("usage: jobs CASE ROLE fresh|scratch");
    std::string_view name = arguments[1], role = arguments[2], memory = arguments[3];
    size_t dash = std::min(name.find('-'), name.size() - 1);
    std::string_view job = name.substr(0, dash), mode = name.substr(dash + 1);
    return memory == "scratch" ? play<Scratch>(job, mode, role) : play<Fresh>(job, mode, role);
} catch (const std::exception &wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 2;
}
