// One job without a size, two with, and a command: what every kit's example does.
#include "with/cpp/probe.hpp"

int main() {
    return probe::Probe()
        .job(64, [](size_t i) { return std::to_string(i * 7919); })
        .sized(1, 7, [](size_t i) { return std::string(i, static_cast<char>('a' + i)); })
        .sized(8, 7, [](size_t i) { return probe::number(i - uint64_t{1}); })
        .command("twice", [](std::string_view word) { return probe::unhex(word) + probe::unhex(word); })
        .serve();
}
