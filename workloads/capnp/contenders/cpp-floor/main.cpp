// The floor: makes the same inputs and gives the same answers, with no message between. What a contender needs above
// this is what its format costs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "with/cpp/probe.hpp"
#include "with/for-cpp/inputs.hpp"

using namespace inputs;

static uint64_t value(const Car &car) {
    uint64_t value = 7 * car.make.size() + 3 * car.model.size() + 10 * car.color + 200 * car.seats + 350 * car.doors;
    for (float pressure : car.pressure)
        value += car.diameter * car.diameter + static_cast<uint32_t>(pressure) + (car.snowTires ? 100 : 0);
    value += car.length * car.width * car.height / 50 + car.weight / 4;
    value += 40 * car.horsepower + 50 * car.cylinders + car.cc / 10;
    if (car.usesElectric) value += car.usesGas ? 5000 : 3000;
    value += static_cast<uint32_t>(car.fuelCapacity) + 2 * static_cast<uint32_t>(car.fuelLevel);
    value += (car.powerWindows ? 100 : 0) + (car.powerSteering ? 200 : 0) + (car.cruiseControl ? 400 : 0);
    return value + 25 * car.cupHolders + (car.navSystem ? 2000 : 0);
}

static uint64_t carsales(uint32_t input) {
    Random random(Job::carsales, input);
    uint64_t amount = 0;
    for (uint32_t left = carCount(random); left > 0; --left) amount += value(nextCar(random));
    return amount;
}

struct Ranked {
    int32_t score;
    uint32_t texts;
};

static uint64_t catrank(uint32_t input) {
    Random random(Job::catrank, input);
    Hits hits(random);
    std::vector<Ranked> ranked;
    ranked.reserve(hits.count());
    for (uint32_t left = hits.count(); left > 0; --left) {
        Hit hit = hits.next();
        int32_t score = static_cast<int32_t>(hit.score) + (hit.cat ? 10000 : 0) - (hit.dog ? 10000 : 0);
        uint32_t texts = 7 * hit.url.size() + static_cast<uint8_t>(hit.url.back()) + hit.snippet.size();
        ranked.push_back({score, texts});
    }
    std::sort(ranked.begin(), ranked.end(), [](const Ranked &a, const Ranked &b) { return a.score > b.score; });
    uint32_t fold = 0;
    for (const Ranked &one : ranked) fold = 31 * fold + static_cast<uint32_t>(one.score) + one.texts;
    return fold;
}

static int32_t evaluate(Random &random, uint32_t depth) {
    uint32_t how = operation(random);
    int32_t left = isLeaf(random, depth) ? number(random) : evaluate(random, depth + 1);
    int32_t right = isLeaf(random, depth) ? number(random) : evaluate(random, depth + 1);
    return apply(how, left, right);
}

static uint64_t eval(uint32_t input) {
    Random random(Job::eval, input);
    return static_cast<uint64_t>(static_cast<int64_t>(evaluate(random, 0)));
}

using Answer = uint64_t (*)(uint32_t);

template <Answer ANSWER> static int inProcess() {
    return probe::Probe().job(KINDS, [](uint64_t input) { return probe::number(ANSWER(input)); }).serve();
}

// Between processes, the least that can be sent is the number of the input and the answer: eight bytes each way.
template <Answer ANSWER> static int serve() {
    for (uint64_t word; std::fread(&word, sizeof word, 1, stdin) == 1;) {
        word = ANSWER(static_cast<uint32_t>(word));
        if (std::fwrite(&word, sizeof word, 1, stdout) != 1 || std::fflush(stdout) != 0) return 1;
    }
    return 0;
}

static int ask() {
    std::FILE *out = std::fopen(std::getenv("TARE_PIPE_OUT"), "wb");
    std::FILE *in = std::fopen(std::getenv("TARE_PIPE_IN"), "rb");
    if (out == nullptr || in == nullptr) throw std::runtime_error("the pipes cannot be opened");
    auto exchange = [=](uint64_t word) {
        if (std::fwrite(&word, sizeof word, 1, out) != 1 || std::fflush(out) != 0 ||
            std::fread(&word, sizeof word, 1, in) != 1)
            throw std::runtime_error("the server is gone");
        return probe::number(word);
    };
    return probe::Probe().job(KINDS, exchange).serve();
}

template <Answer ANSWER> static int play(std::string_view role) {
    return role == "server" ? serve<ANSWER>() : role == "client" ? ask() : inProcess<ANSWER>();
}

int main(int count, char **arguments) {
    std::string_view name = count > 2 ? arguments[1] : "";
    std::string_view job = name.substr(0, name.find('-'));
    if (job == "carsales") return play<carsales>(arguments[2]);
    if (job == "catrank") return play<catrank>(arguments[2]);
    if (job == "eval") return play<eval>(arguments[2]);
    std::fprintf(stderr, "usage: floor CASE ROLE, such as carsales-object probe\n");
    return 2;
}
