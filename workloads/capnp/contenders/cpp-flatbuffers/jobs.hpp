// The three jobs on FlatBuffers. Each has `ask` (the client builds a request from input `input`), `serve` (the server
// answers it) and `answer` (what the client reads from the response). What is read has been verified, or was built
// here.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "jobs_generated.h"
#include "with/for-cpp/inputs.hpp"

using Builder = flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

inline Offset<flatbuffers::String> text(Builder &to, std::string_view from) {
    return to.CreateString(from.data(), from.size());
}

struct Carsales {
    using Request = jobs::ParkingLot;
    using Response = jobs::TotalValue;

    static Offset<Request> ask(uint32_t input, Builder &to) {
        inputs::Random random(inputs::Job::carsales, input);
        std::vector<Offset<jobs::Car>> cars(inputs::carCount(random));
        for (Offset<jobs::Car> &made : cars) made = car(inputs::nextCar(random), to);
        return jobs::CreateParkingLot(to, to.CreateVector(cars));
    }

    static Offset<Response> serve(const Request &lot, Builder &to) {
        uint64_t amount = 0;
        for (const jobs::Car *car : *lot.cars()) amount += value(*car);
        return jobs::CreateTotalValue(to, amount);
    }

    static uint64_t answer(const Response &total) { return total.amount(); }

private:
    // What a table refers to is built before it.
    static Offset<jobs::Car> car(const inputs::Car &from, Builder &to) {
        auto make = text(to, from.make);
        auto model = text(to, from.model);
        std::array<Offset<jobs::Wheel>, 4> wheels;
        for (size_t i = 0; i < wheels.size(); ++i)
            wheels[i] = jobs::CreateWheel(to, from.diameter, from.pressure[i], from.snowTires);
        auto allWheels = to.CreateVector(wheels.data(), wheels.size());
        auto engine =
            jobs::CreateEngine(to, from.horsepower, from.cylinders, from.cc, from.usesGas, from.usesElectric);
        // The largest first: so nothing needs filling up.
        jobs::CarBuilder car(to);
        car.add_make(make);
        car.add_model(model);
        car.add_wheels(allWheels);
        car.add_engine(engine);
        car.add_weight(from.weight);
        car.add_fuel_capacity(from.fuelCapacity);
        car.add_fuel_level(from.fuelLevel);
        car.add_length(from.length);
        car.add_width(from.width);
        car.add_height(from.height);
        car.add_color(static_cast<jobs::Color>(from.color));
        car.add_seats(from.seats);
        car.add_doors(from.doors);
        car.add_power_windows(from.powerWindows);
        car.add_power_steering(from.powerSteering);
        car.add_cruise_control(from.cruiseControl);
        car.add_cup_holders(from.cupHolders);
        car.add_nav_system(from.navSystem);
        return car.Finish();
    }

    static uint64_t value(const jobs::Car &car) {
        uint64_t value = 7 * car.make()->size() + 3 * car.model()->size();
        value += 10 * static_cast<uint8_t>(car.color()) + 200 * car.seats() + 350 * car.doors();
        for (const jobs::Wheel *wheel : *car.wheels()) {
            value += uint64_t{wheel->diameter()} * wheel->diameter() + static_cast<uint32_t>(wheel->pressure());
            if (wheel->snow_tires()) value += 100;
        }
        value += uint64_t{car.length()} * car.width() * car.height() / 50 + car.weight() / 4;
        const jobs::Engine &engine = *car.engine();
        value += 40 * engine.horsepower() + 50 * engine.cylinders() + engine.cc() / 10;
        if (engine.uses_electric()) value += engine.uses_gas() ? 5000 : 3000;
        value += static_cast<uint32_t>(car.fuel_capacity()) + 2 * static_cast<uint32_t>(car.fuel_level());
        if (car.power_windows()) value += 100;
        if (car.power_steering()) value += 200;
        if (car.cruise_control()) value += 400;
        if (car.nav_system()) value += 2000;
        return value + 25 * car.cup_holders();
    }
};

struct Catrank {
    using Request = jobs::SearchResults;
    using Response = jobs::SearchResults;

    static Offset<Request> ask(uint32_t input, Builder &to) {
        inputs::Random random(inputs::Job::catrank, input);
        inputs::Hits hits(random);
        std::vector<Offset<jobs::SearchResult>> results(hits.count());
        for (Offset<jobs::SearchResult> &result : results) {
            inputs::Hit hit = hits.next();
            auto url = text(to, hit.url);
            auto snippet = text(to, hit.snippet);
            result = jobs::CreateSearchResult(to, url, hit.score, snippet);
        }
        return jobs::CreateSearchResults(to, to.CreateVector(results));
    }

    static Offset<Response> serve(const Request &request, Builder &to) {
        std::vector<Scored> scored = scores(*request.results());
        std::sort(scored.begin(), scored.end(), [](const Scored &a, const Scored &b) { return a.score > b.score; });
        std::vector<Offset<jobs::SearchResult>> ranked;
        ranked.reserve(scored.size());
        for (const Scored &from : scored) {
            auto url = to.CreateString(from.result->url());
            auto snippet = to.CreateString(from.result->snippet());
            ranked.push_back(jobs::CreateSearchResult(to, url, from.score, snippet));
        }
        return jobs::CreateSearchResults(to, to.CreateVector(ranked));
    }

    static uint64_t answer(const Response &response) {
        uint32_t fold = 0;
        for (const jobs::SearchResult *result : *response.results()) {
            const flatbuffers::String &url = *result->url();
            uint32_t last = url.size() == 0 ? 0 : static_cast<uint8_t>(url.c_str()[url.size() - 1]);
            uint32_t texts = 7 * url.size() + last + result->snippet()->size();
            fold = 31 * fold + static_cast<uint32_t>(static_cast<int64_t>(result->score())) + texts;
        }
        return fold;
    }

private:
    struct Scored {
        double score;
        const jobs::SearchResult *result;
    };

    // Text copied for one request. The verifier counts tables, not what they refer to: thousands may share one long
    // text, and a builder does not stop where its offsets end.
    static constexpr size_t MOST_TEXT = size_t{64} << 20;

    static std::vector<Scored> scores(const flatbuffers::Vector<Offset<jobs::SearchResult>> &results) {
        std::vector<Scored> scored;
        scored.reserve(results.size());
        size_t texts = 0;
        for (const jobs::SearchResult *result : results) {
            texts += size_t{result->url()->size()} + result->snippet()->size();
            if (texts > MOST_TEXT) throw std::runtime_error("the request has more than 64 MiB of text");
            scored.push_back({score(*result), result});
        }
        return scored;
    }

    static double score(const jobs::SearchResult &result) {
        double score = result.score();
        // It has no place in an order, and sorting relies on one.
        if (std::isnan(score)) throw std::runtime_error("a score is no number");
        const char *snippet = result.snippet()->c_str();
        if (std::strstr(snippet, " cat ") != nullptr) score += 10000;
        if (std::strstr(snippet, " dog ") != nullptr) score -= 10000;
        return score;
    }
};

struct Eval {
    using Request = jobs::Expression;
    using Response = jobs::Evaluation;

    static Offset<Request> ask(uint32_t input, Builder &to) {
        inputs::Random random(inputs::Job::eval, input);
        return grow(random, 0, to);
    }

    static Offset<Response> serve(const Request &expression, Builder &to) {
        return jobs::CreateEvaluation(to, evaluate(expression));
    }

    static uint64_t answer(const Response &evaluation) {
        return static_cast<uint64_t>(static_cast<int64_t>(evaluation.value()));
    }

private:
    struct Side {
        jobs::Operand type;
        Offset<void> offset;
    };

    static Side side(inputs::Random &random, uint32_t depth, Builder &to) {
        if (inputs::isLeaf(random, depth))
            return {jobs::Operand::Number, to.CreateStruct(jobs::Number(inputs::number(random))).Union()};
        return {jobs::Operand::Expression, grow(random, depth + 1, to).Union()};
    }

    static Offset<jobs::Expression> grow(inputs::Random &random, uint32_t depth, Builder &to) {
        auto operation = static_cast<jobs::Operation>(inputs::operation(random));
        Side left = side(random, depth, to);
        Side right = side(random, depth, to);
        return jobs::CreateExpression(to, operation, left.type, left.offset, right.type, right.offset);
    }

    // To the verifier a union without a value, or of a kind that it does not know, is a message like any other.
    static int32_t operand(const jobs::Number *number, const jobs::Expression *expression) {
        if (number != nullptr) return number->value();
        if (expression != nullptr) return evaluate(*expression);
        throw std::runtime_error("an expression lacks a side");
    }

    static int32_t evaluate(const jobs::Expression &e) {
        int32_t left = operand(e.left_as_Number(), e.left_as_Expression());
        int32_t right = operand(e.right_as_Number(), e.right_as_Expression());
        return inputs::apply(static_cast<uint32_t>(e.operation()), left, right);
    }
};
