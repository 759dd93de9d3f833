// The probe protocol of Tare for C++17: a process that does N iterations when told to, and says how long they took.
// docs/probe.md describes the protocol. The whole of a contender:
//
//     #include "with/cpp/probe.hpp"
//
//     int main() {
//         std::vector<Record> records = makeRecords();
//         std::string json;
//         return probe::serve(records.size(), [&](uint64_t input) -> std::string_view {
//             json.clear();
//             encode(records[input], json);
//             return json;                                   // any bytes with data() and size()
//         });
//     }
//
// Where the case is swept, the lambda takes the size as well: [&](uint64_t input, uint64_t size). Commands besides
// `run` and `show` are for a third argument: [&](std::string_view name, std::string_view argument) gives the answer
// after `ok`, or nothing where it does not know the name. An exception is answered by `error` and its text, and the
// process goes on.
#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace probe {

// A number as a result: eight bytes, little endian.
using Number = std::array<uint8_t, 8>;

inline Number number(uint64_t value) {
    Number bytes;
    for (uint8_t &byte : bytes) {
        byte = static_cast<uint8_t>(value);
        value >>= 8;
    }
    return bytes;
}

// What one result adds to the checksum: it depends on the length and on the first and last four bytes.
inline uint32_t term(const void *data, size_t size) {
    uint8_t ends[8] = {};
    size_t part = size < 4 ? size : 4;
    if (part > 0) {
        std::memcpy(ends, data, part);
        // A result of less than four bytes is padded at its end, so its last four bytes are its first.
        std::memcpy(ends + 4, static_cast<const uint8_t *>(data) + (size - part), part);
    }
    auto word = [](const uint8_t *b) { return b[0] | b[1] << 8 | b[2] << 16 | static_cast<uint32_t>(b[3]) << 24; };
    return static_cast<uint32_t>(size) * 2654435761u + word(ends) * 2246822519u + word(ends + 4) * 3266489917u;
}

inline std::string hex(const void *data, size_t size) {
    std::string text(2 * size, '0');
    for (size_t at = 0; at < size; ++at) {
        uint8_t byte = static_cast<const uint8_t *>(data)[at];
        text[2 * at] = "0123456789abcdef"[byte >> 4];
        text[2 * at + 1] = "0123456789abcdef"[byte & 15];
    }
    return text;
}

inline std::string unhex(std::string_view text) {
    if (text.size() % 2 != 0) throw std::invalid_argument("an odd number of hexadecimal digits");
    std::string bytes(text.size() / 2, '\0');
    for (size_t at = 0; at < bytes.size(); ++at) {
        const char *from = text.data() + 2 * at;
        uint8_t byte = 0;
        if (std::from_chars(from, from + 2, byte, 16).ptr != from + 2) throw std::invalid_argument("no hexadecimal digit");
        bytes[at] = static_cast<char>(byte);
    }
    return bytes;
}

namespace inside {

inline std::string_view word(std::string_view &rest) {
    size_t end = std::min(rest.find(' '), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

inline uint64_t count(std::string_view &rest) {
    std::string_view digits = word(rest);
    uint64_t value = 0;
    auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (wrong != std::errc() || end != digits.data() + digits.size() || digits.empty())
        throw std::invalid_argument("`" + std::string(digits) + "` is no count");
    return value;
}

template <class Once> decltype(auto) once(Once &work, uint64_t input, uint64_t size) {
    if constexpr (std::is_invocable_v<Once &, uint64_t, uint64_t>)
        return work(input, size);
    else
        return work(input);
}

template <class Once> std::string run(uint64_t inputs, Once &work, std::string_view rest) {
    uint64_t times = count(rest);
    uint64_t size = rest.empty() ? 0 : count(rest);
    uint32_t sum = 0;
    uint64_t input = 0;
    auto began = std::chrono::steady_clock::now();
    for (uint64_t i = 0; i < times; ++i) {
        const auto &result = once(work, input, size);
        sum += term(result.data(), result.size());
        if (++input == inputs) input = 0;
    }
    auto took = std::chrono::steady_clock::now() - began;
    auto nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(took).count();
    return std::to_string(nanos) + " " + std::to_string(sum);
}

template <class Once> std::string show(uint64_t inputs, Once &work, std::string_view rest) {
    uint64_t input = count(rest);
    uint64_t size = rest.empty() ? 0 : count(rest);
    if (input >= inputs) throw std::out_of_range("there are " + std::to_string(inputs) + " inputs");
    const auto &result = once(work, input, size);
    return hex(result.data(), result.size());
}

template <class Once, class Others>
std::string answer(uint64_t inputs, Once &work, Others &others, std::string_view line) {
    try {
        std::string_view rest = line;
        std::string_view name = word(rest);
        if (name == "run") return "ok " + run(inputs, work, rest);
        if (name == "show") return "ok " + show(inputs, work, rest);
        if (std::optional<std::string> other = others(name, rest)) return "ok " + *other;
        return "error `" + std::string(name) + "` is no command";
    } catch (const std::exception &wrong) {
        std::string why = wrong.what();
        for (char &letter : why)
            if (letter == '\n') letter = ' ';
        return "error " + why;
    }
}

} // namespace inside

// For further commands: the number that an argument begins with, which is then taken off it.
using inside::count;

// Answers commands on standard input until its end; `work(input)` with 0 <= input < inputs gives a result's bytes,
// `others(name, argument)` the answers to further commands. Returns the exit status.
template <class Once, class Others> int serve(uint64_t inputs, Once &&work, Others &&others) {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);)
        std::cout << inside::answer(inputs, work, others, line) << std::endl;
    return 0;
}

template <class Once> int serve(uint64_t inputs, Once &&work) {
    return serve(inputs, work, [](std::string_view, std::string_view) { return std::optional<std::string>(); });
}

} // namespace probe
