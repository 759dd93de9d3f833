// The probe protocol for C++17: what stands between tare and the code under test.
//
// A contender says `with = ["kits/cpp"]` in its manifest and
//
//     #include "with/cpp/probe.hpp"
//
//     int main() {
//         std::vector<Record> inputs = records();
//         return probe::Probe()
//             .job(inputs.size(), [&](size_t i) { return encode(inputs[i]); })
//             .serve();
//     }
//
// Where the case is swept, each size is a job of its own, with a loop of its own: `.sized(25, 64, …)`. A job returns
// anything with data() and size() in bytes, made anew; a number is probe::number. Further commands (`read HEX`) are
// `.command("read", [](std::string_view argument) { … })`, which return bytes too; an exception is answered as an
// error.
#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace probe {

// A result that is a number: its eight bytes, little endian. A signed one is cast.
inline std::array<uint8_t, 8> number(uint64_t value) {
    std::array<uint8_t, 8> bytes;
    for (uint8_t &byte : bytes) {
        byte = static_cast<uint8_t>(value);
        value >>= 8;
    }
    return bytes;
}

// What one result adds to the checksum: from its length and its first and last four bytes.
inline uint32_t term(const void *data, size_t size) {
    auto word = [](const void *from, size_t length) {
        uint8_t b[4] = {};
        if (length > 0) std::memcpy(b, from, length);
        return static_cast<uint32_t>(b[0] | b[1] << 8 | b[2] << 16) | static_cast<uint32_t>(b[3]) << 24;
    };
    // Padded with zero bytes, the first four are the last four.
    size_t part = size < 4 ? size : 4;
    uint32_t first = word(data, part), last = word(static_cast<const uint8_t *>(data) + (size - part), part);
    return static_cast<uint32_t>(size) * 2654435761u + first * 2246822519u + last * 3266489917u;
}

// A number of 64 bits: decimal digits alone.
inline uint64_t parse(std::string_view word) {
    uint64_t value = 0;
    const char *end = word.data() + word.size();
    bool digit = !word.empty() && word[0] >= '0' && word[0] <= '9';
    auto [stopped, wrong] = std::from_chars(word.data(), end, value);
    if (!digit || wrong != std::errc() || stopped != end)
        throw std::invalid_argument("\"" + std::string(word) + "\" is no number of 64 bits");
    return value;
}

// Two lower-case digits a byte.
template <class Bytes> std::string hex(const Bytes &bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (size_t at = 0; at < bytes.size(); ++at) {
        auto byte = static_cast<uint8_t>(bytes.data()[at]);
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

// The bytes that a hexadecimal word stands for.
inline std::string unhex(std::string_view word) {
    std::string bytes(word.size() / 2, '\0');
    for (size_t at = 0; at < bytes.size(); ++at) {
        const char *from = word.data() + 2 * at;
        uint8_t byte = 0;
        if (std::from_chars(from, from + 2, byte, 16).ptr != from + 2)
            throw std::invalid_argument("a hexadecimal digit was expected");
        bytes[at] = static_cast<char>(byte);
    }
    if (word.size() % 2 != 0) throw std::invalid_argument("an even number of hexadecimal digits was expected");
    return bytes;
}

// A job behind one virtual call a command; the loop inside is compiled for the job alone.
class Job {
public:
    virtual ~Job() = default;
    virtual uint32_t run(uint64_t count) = 0;
    virtual std::string show(uint64_t input) = 0;
};

template <class Result> class Loop final : public Job {
public:
    Loop(size_t inputs, Result result) : inputs_(inputs), result_(std::move(result)) {}

    uint32_t run(uint64_t count) override {
        uint32_t sum = 0;
        size_t input = 0;
        for (; count > 0; --count) {
            // Neither the input is known to the optimiser nor that most bytes of the result are never read.
            asm volatile("" : "+r"(input));
            const auto &bytes = result_(input);
            const void *data = bytes.data();
            asm volatile("" : "+r"(data) : : "memory");
            sum += term(data, bytes.size());
            if (++input == inputs_) input = 0;
        }
        return sum;
    }

    std::string show(uint64_t input) override {
        if (input >= inputs_) throw std::out_of_range("there is no input " + std::to_string(input));
        return hex(result_(static_cast<size_t>(input)));
    }

private:
    size_t inputs_;
    Result result_;
};

// The jobs of a contender, and the commands that it answers besides.
class Probe {
public:
    // The job of a case without sizes: from the number of an input, below `inputs`, to its result.
    template <class Result> Probe &&job(size_t inputs, Result result) && {
        return std::move(*this).add({false, 0}, inputs, std::move(result));
    }

    // The job for one size of a swept case.
    template <class Result> Probe &&sized(uint64_t size, size_t inputs, Result result) && {
        return std::move(*this).add({true, size}, inputs, std::move(result));
    }

    // A further command of one argument, answered with `ok HEX` or `error WHY`.
    template <class Answer> Probe &&command(std::string name, Answer answer) && {
        commands_.emplace_back(std::move(name), [=](std::string_view word) { return hex(answer(word)); });
        return std::move(*this);
    }

    // Answers each line of standard input with one line on standard output, until the input ends. The exit status.
    int serve() && {
        std::ios::sync_with_stdio(false);
        for (std::string line; std::getline(std::cin, line);) std::cout << reply(line) << std::endl;
        return 0;
    }

private:
    // Whether there is one, and which.
    using Size = std::pair<bool, uint64_t>;

    template <class Result> Probe &&add(Size size, size_t inputs, Result result) && {
        jobs_.emplace_back(size, std::make_unique<Loop<Result>>(inputs, std::move(result)));
        return std::move(*this);
    }

    std::string reply(std::string_view line) {
        try {
            return "ok " + answer(line);
        } catch (const std::exception &wrong) {
            std::string why = wrong.what();
            for (char &letter : why)
                if (letter == '\n' || letter == '\r') letter = ' ';
            return "error " + why;
        }
    }

    std::string answer(std::string_view line) {
        std::vector<std::string_view> words = split(line);
        if (words[0] == "run" && (words.size() == 2 || words.size() == 3)) return run(parse(words[1]), find(words));
        if (words[0] == "show" && (words.size() == 2 || words.size() == 3))
            return find(words).show(parse(words[1]));
        for (auto &[name, command] : commands_)
            if (words.size() == 2 && words[0] == name) return command(words[1]);
        throw std::invalid_argument("\"" + std::string(line) + "\" is none of: run N [SIZE], show I [SIZE]");
    }

    static std::vector<std::string_view> split(std::string_view line) {
        std::vector<std::string_view> words;
        for (size_t end; (end = line.find(' ')) != line.npos; line.remove_prefix(end + 1))
            words.push_back(line.substr(0, end));
        words.push_back(line);
        return words;
    }

    static std::string run(uint64_t count, Job &job) {
        auto begin = std::chrono::steady_clock::now();
        uint32_t sum = job.run(count);
        std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
        return std::to_string(time.count()) + " " + std::to_string(sum);
    }

    Job &find(const std::vector<std::string_view> &words) {
        Size size = words.size() == 3 ? Size(true, parse(words[2])) : Size(false, 0);
        for (auto &[own, job] : jobs_)
            if (own == size) return *job;
        throw std::invalid_argument(size.first ? "there is no job of size " + std::to_string(size.second)
                                               : "there is no job without a size");
    }

    std::vector<std::pair<Size, std::unique_ptr<Job>>> jobs_;
    std::vector<std::pair<std::string, std::function<std::string(std::string_view)>>> commands_;
};

} // namespace probe
