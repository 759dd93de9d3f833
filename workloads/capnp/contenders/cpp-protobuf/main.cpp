// jobs CASE ROLE: one case of the workload `capnp` on Protocol Buffers.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "jobs.hpp"
#include "with/cpp/probe.hpp"

namespace {

// The messages of one side or both. They are cleared and used again, as the library recommends: so their memory is.
template <class Job> struct Messages {
    typename Job::Request request;
    typename Job::Response response;
    std::string bytes;

    void ask(uint32_t input) {
        request.Clear();
        Job::ask(input, request);
        bytes.clear();
        request.AppendToString(&bytes);
    }

    // From the request's bytes to the response's.
    void serve() {
        if (!request.ParseFromString(bytes)) throw std::runtime_error("that is no request");
        response.Clear();
        Job::serve(request, response);
        bytes.clear();
        response.AppendToString(&bytes);
    }

    uint64_t answer() {
        if (!response.ParseFromString(bytes)) throw std::runtime_error("that is no response");
        return Job::answer(response);
    }
};

// A message does not say where it ends: its length goes before it, in four bytes, little endian.
void send(std::FILE *pipe, const std::string &message) {
    uint32_t length = static_cast<uint32_t>(message.size());
    if (std::fwrite(&length, sizeof length, 1, pipe) != 1 ||
        std::fwrite(message.data(), 1, length, pipe) != length || std::fflush(pipe) != 0)
        throw std::runtime_error("the pipe is closed");
}

// False where the pipe has ended.
bool receive(std::FILE *pipe, std::string &message) {
    uint32_t length;
    if (std::fread(&length, sizeof length, 1, pipe) != 1) return false;
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
        .command("format", [](std::string_view) { return std::string_view("protobuf"); })
        .command("bytes", [&](std::string_view input) {
            messages.ask(static_cast<uint32_t>(probe::parse(input)));
            return messages.bytes;
        })
        .command("read", [&](std::string_view hex) {
            messages.bytes = probe::unhex(hex);
            messages.serve();
            return probe::number(messages.answer());
        })
        .serve();
}

template <class Job> int client() {
    Messages<Job> messages;
    std::FILE *out = opened("TARE_PIPE_OUT", "wb");
    std::FILE *in = opened("TARE_PIPE_IN", "rb");
    return probed<Job>([&](uint32_t input) {
        messages.ask(input);
        send(out, messages.bytes);
        if (!receive(in, messages.bytes)) throw std::runtime_error("the server is gone");
        return messages.answer();
    });
}

template <class Job> int server() {
    Messages<Job> messages;
    while (receive(stdin, messages.bytes)) {
        messages.serve();
        send(stdout, messages.bytes);
    }
    return 0;
}

template <class Job> int play(std::string_view mode, std::string_view role) {
    if (mode == "pipe") return role == "server" ? server<Job>() : client<Job>();
    if (mode != "bytes") throw std::runtime_error("there is no mode " + std::string(mode));
    Messages<Job> messages;
    return probed<Job>([&](uint32_t input) {
        messages.ask(input);
        messages.serve();
        return messages.answer();
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
