// jobs CASE ROLE: one case of the workload `capnp` on FlatBuffers.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "jobs.hpp"
#include "with/cpp/probe.hpp"

namespace {

// Allocated, and so aligned for whatever a message holds.
using Bytes = std::vector<uint8_t>;

// The limits for what others send: several times what the workload has. Tables count as often as they are referred to.
constexpr uint32_t MOST_LEVELS = 64, MOST_TABLES = 1 << 16, MOST_BYTES = 64 << 20;

template <class Root> const Root &verified(const Bytes &bytes) {
    flatbuffers::Verifier verifier(bytes.data(), bytes.size(), MOST_LEVELS, MOST_TABLES);
    if (bytes.size() > MOST_BYTES || !verifier.template VerifyBuffer<Root>(nullptr))
        throw std::runtime_error("that is no message, or a larger one than anybody means");
    return *flatbuffers::GetRoot<Root>(bytes.data());
}

// The messages of one side or both. A builder that is cleared keeps its memory.
template <class Job> class Messages {
public:
    const Builder &ask(uint32_t input) {
        requests_.Clear();
        requests_.Finish(Job::ask(input, requests_));
        return requests_;
    }

    const Builder &serve(const typename Job::Request &request) {
        responses_.Clear();
        responses_.Finish(Job::serve(request, responses_));
        return responses_;
    }

    const Builder &serve(const Bytes &request) { return serve(verified<typename Job::Request>(request)); }

private:
    Builder requests_, responses_;
};

// object: what has just been built here needs no verifying.
template <class Job> uint64_t inPlace(Messages<Job> &messages, uint32_t input) {
    const Builder &request = messages.ask(input);
    const Builder &response =
        messages.serve(*flatbuffers::GetRoot<typename Job::Request>(request.GetBufferPointer()));
    return Job::answer(*flatbuffers::GetRoot<typename Job::Response>(response.GetBufferPointer()));
}

void keep(Bytes &bytes, const Builder &message) {
    bytes.assign(message.GetBufferPointer(), message.GetBufferPointer() + message.GetSize());
}

// From the request's bytes, by way of the response's in the same memory, to the answer.
template <class Job> uint64_t exchange(Messages<Job> &messages, Bytes &bytes) {
    keep(bytes, messages.serve(bytes));
    return Job::answer(verified<typename Job::Response>(bytes));
}

// A message does not say where it ends: its length goes before it, in four bytes, little endian.
void send(std::FILE *pipe, const Builder &message) {
    uint32_t length = message.GetSize();
    if (std::fwrite(&length, sizeof length, 1, pipe) != 1 ||
        std::fwrite(message.GetBufferPointer(), 1, length, pipe) != length || std::fflush(pipe) != 0)
        throw std::runtime_error("the pipe is closed");
}

// False where the pipe has ended.
bool receive(std::FILE *pipe, Bytes &message) {
    uint32_t length;
    if (std::fread(&length, sizeof length, 1, pipe) != 1) return false;
    if (length > MOST_BYTES) throw std::runtime_error("the message is too long");
    message.resize(length);
    if (std::fread(message.data(), 1, length, pipe) != length) throw std::runtime_error("the message ends too early");
    return true;
}

std::FILE *opened(const char *variable, const char *how) {
    const char *path = std::getenv(variable);
    std::FILE *file = path == nullptr ? nullptr : std::fopen(path, how);
    if (file == nullptr) throw std::runtime_error(std::string(variable) + " names no pipe");
    return file;
}

template <class Job, class Once> int probed(Once once) {
    Messages<Job> messages;
    return probe::Probe()
        .job(inputs::KINDS, [&](size_t input) { return probe::number(once(static_cast<uint32_t>(input))); })
        .command("format", [](std::string_view) { return std::string_view("flatbuffers"); })
        .command("bytes", [&](std::string_view input) {
            Bytes bytes;
            keep(bytes, messages.ask(static_cast<uint32_t>(probe::parse(input))));
            return bytes;
        })
        .command("read", [&](std::string_view hex) {
            std::string message = probe::unhex(hex);
            Bytes bytes(message.begin(), message.end());
            return probe::number(exchange(messages, bytes));
        })
        .serve();
}

template <class Job> int client() {
    Messages<Job> messages;
    Bytes bytes;
    std::FILE *out = opened("TARE_PIPE_OUT", "wb");
    std::FILE *in = opened("TARE_PIPE_IN", "rb");
    return probed<Job>([&](uint32_t input) {
        send(out, messages.ask(input));
        if (!receive(in, bytes)) throw std::runtime_error("the server is gone");
        return Job::answer(verified<typename Job::Response>(bytes));
    });
}

template <class Job> int server() {
    Messages<Job> messages;
    for (Bytes bytes; receive(stdin, bytes);) send(stdout, messages.serve(bytes));
    return 0;
}

template <class Job> int play(std::string_view mode, std::string_view role) {
    Messages<Job> messages;
    Bytes bytes;
    if (mode == "pipe") return role == "server" ? server<Job>() : client<Job>();
    if (mode == "object") return probed<Job>([&](uint32_t input) { return inPlace(messages, input); });
    if (mode != "bytes") throw std::runtime_error("there is no mode " + std::string(mode));
    return probed<Job>([&](uint32_t input) {
        keep(bytes, messages.ask(input));
        return exchange(messages, bytes);
    });
}

int play(std::string_view name, std::string_view role) {
    size_t dash = std::min(name.find('-'), name.size());
    std::string_view job = name.substr(0, dash), mode = name.substr(std::min(dash + 1, name.size()));
    if (job == "carsales") return play<Carsales>(mode, role);
    if (job == "catrank") return play<Catrank>(mode, role);
    if (job == "eval") return play<Eval>(mode, role);
    throw std::runtime_error("there is no job " + std::string(job));
}

} // namespace

int main(int count, char **arguments) try {
    if (count != 3) throw std::runtime_error("usage: jobs CASE ROLE");
    return play(arguments[1], arguments[2]);
} catch (const std::exception &wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 2;
}
