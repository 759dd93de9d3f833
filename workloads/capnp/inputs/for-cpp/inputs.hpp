// What goes into the messages of the workload `capnp`: the stated generator, and plain values made from it.
// The README beside workload.toml says which number is drawn when; every language has this file in its own words.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace inputs {

// Inputs of each job; iteration i is on input i mod KINDS.
constexpr uint64_t KINDS = 64;

enum class Job : uint32_t { carsales = 1, catrank = 2, eval = 3 };

// Marsaglia's xorshift128 on 32-bit words, its state mixed from the job and the number of the input.
class Random {
public:
    Random(Job job, uint32_t input) {
        for (uint32_t k = 0; k < 4; ++k)
            words_[k] = mix(2014u * 65536u + 1024u * static_cast<uint32_t>(job) + 4u * input + k);
    }

    uint32_t next() {
        uint32_t t = words_[0] ^ (words_[0] << 11);
        words_[0] = words_[1];
        words_[1] = words_[2];
        words_[2] = words_[3];
        return words_[3] ^= (words_[3] >> 19) ^ t ^ (t >> 8);
    }

    uint32_t below(uint32_t limit) { return next() % limit; }

private:
    // The finaliser of MurmurHash3.
    static uint32_t mix(uint32_t h) {
        h = (h ^ (h >> 16)) * 0x85ebca6bu;
        h = (h ^ (h >> 13)) * 0xc2b2ae35u;
        return h ^ (h >> 16);
    }

    uint32_t words_[4];
};

// carsales ----------------------------------------------------------------------------------------------------------

constexpr std::string_view MAKES[8] = {
    "Altair", "Bellatrix", "Capella", "Deneb", "Electra", "Fomalhaut", "Gemma", "Hadar"};
constexpr std::string_view MODELS[8] = {
    "Kestrel", "Lynx", "Marten", "Nightjar", "Otter", "Plover", "Quail 3", "Redstart GT"};

struct Car {
    std::string_view make, model;
    uint32_t color, seats, doors, diameter;
    bool snowTires, usesGas, usesElectric, powerWindows, powerSteering, cruiseControl, navSystem;
    float pressure[4];
    uint32_t length, width, height, weight, horsepower, cylinders, cc;
    float fuelCapacity, fuelLevel;
    uint32_t cupHolders;
};

inline uint32_t carCount(Random &random) { return 1 + random.below(200); }

inline Car nextCar(Random &random) {
    Car car;
    car.make = MAKES[random.below(8)];
    car.model = MODELS[random.below(8)];
    car.color = random.below(8);
    car.seats = 2 + random.below(6);
    car.doors = 2 + random.below(3);
    car.diameter = 14 + random.below(9);
    uint32_t flags = random.next();
    car.snowTires = flags & 1;
    car.usesGas = flags & 2;
    car.usesElectric = flags & 4;
    car.powerWindows = flags & 8;
    car.powerSteering = flags & 16;
    car.cruiseControl = flags & 32;
    car.navSystem = flags & 64;
    for (float &pressure : car.pressure) pressure = 24 + random.below(128) / 8.0f;
    car.length = 170 + random.below(150);
    car.width = 48 + random.below(36);
    car.height = 54 + random.below(48);
    car.weight = 800 + random.below(4000);
    car.horsepower = 50 + random.below(450);
    car.cylinders = 3 + random.below(10);
    car.cc = 800 + random.below(10000);
    car.fuelCapacity = 8 + random.below(256) / 8.0f;
    car.fuelLevel = car.fuelCapacity * (random.below(257) / 256.0f);
    car.cupHolders = random.below(13);
    return car;
}

// catrank -----------------------------------------------------------------------------------------------------------

constexpr std::string_view SITE = "http://example.com/";
constexpr std::string_view PHRASES[16] = {
    "the brook ran on ", "a catkin fell ", "under dogma ", "two larks rose ",
    "moss grew ", "scatter the seed ", "by the pebble shore ", "reeds bent low ",
    "no bobcat, only rain ", "hotdog stands closed ", "fern and stone ", "the wind turned ",
    "nobody spoke ", "category of clouds ", "late light ", "an endogenous murmur "};

// One search result. The texts stay as they are until the next one is made.
struct Hit {
    std::string_view url, snippet;
    double score;
    bool cat, dog;
};

class Hits {
public:
    explicit Hits(Random &random)
        : random_(random), count_(1 + random.below(1000)), factor_(1 + random.below(1008)), offset_(random.below(1009)) {}

    uint32_t count() const { return count_; }

    Hit next() {
        Hit hit;
        hit.score = (factor_ * made_++ + offset_) % 1009;
        hit.url = url();
        uint32_t shape = random_.next();
        hit.cat = (shape >> 9 & 7) == 0;
        hit.dog = (shape >> 12 & 7) == 0;
        char *end = snippet_;
        *end++ = ' ';
        end = phrases(end, shape & 7);
        if (hit.cat) end = append(end, "cat ");
        end = phrases(end, shape >> 3 & 7);
        if (hit.dog) end = append(end, "dog ");
        end = phrases(end, shape >> 6 & 7);
        hit.snippet = {snippet_, static_cast<size_t>(end - snippet_)};
        return hit;
    }

private:
    static char *append(char *to, std::string_view text) {
        std::memcpy(to, text.data(), text.size());
        return to + text.size();
    }

    std::string_view url() {
        char *end = append(url_, SITE);
        for (uint32_t blocks = 1 + random_.below(12); blocks > 0; --blocks) {
            uint32_t digits = random_.next();
            for (int shift = 28; shift >= 0; shift -= 4) *end++ = "0123456789abcdef"[digits >> shift & 15];
        }
        return {url_, static_cast<size_t>(end - url_)};
    }

    char *phrases(char *to, uint32_t count) {
        uint32_t choices = random_.next();
        for (uint32_t k = 0; k < count; ++k) to = append(to, PHRASES[choices >> 4 * k & 15]);
        return to;
    }

    Random &random_;
    uint32_t count_, factor_, offset_, made_ = 0;
    char url_[19 + 12 * 8];
    char snippet_[1 + 3 * 7 * 21 + 8];
};

// eval --------------------------------------------------------------------------------------------------------------

inline uint32_t operation(Random &random) { return random.below(5); }
inline bool isLeaf(Random &random, uint32_t depth) { return random.below(8) < depth; }
inline int32_t number(Random &random) { return 1 + static_cast<int32_t>(random.below(128)); }

// Numbers wrap at 32 bits; dividing by zero gives the largest one.
inline int32_t apply(uint32_t operation, int32_t left, int32_t right) {
    uint32_t a = static_cast<uint32_t>(left), b = static_cast<uint32_t>(right);
    switch (operation) {
    case 0: return static_cast<int32_t>(a + b);
    case 1: return static_cast<int32_t>(a - b);
    case 2: return static_cast<int32_t>(a * b);
    case 3: return right == 0 ? INT32_MAX : right == -1 ? static_cast<int32_t>(0u - a) : left / right;
    default: return right == 0 ? INT32_MAX : right == -1 ? 0 : left % right;
    }
}

} // namespace inputs
