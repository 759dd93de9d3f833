// The three jobs on Cap'n Proto's readers and builders. Each has `ask` (the client builds a request from input
// `input`), `serve` (the server answers it) and `answer` (what the client reads from the response).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "jobs.capnp.h"
#include "with/for-cpp/inputs.hpp"

inline capnp::Text::Reader asText(std::string_view view) { return capnp::Text::Reader(view.data(), view.size()); }

struct Carsales {
    using Request = jobs::ParkingLot;
    using Response = jobs::TotalValue;

    static void ask(uint32_t input, Request::Builder lot) {
        inputs::Random random(inputs::Job::carsales, input);
        auto cars = lot.initCars(inputs::carCount(random));
        for (auto car : cars) fill(inputs::nextCar(random), car);
    }

    static void serve(Request::Reader lot, Response::Builder total) {
        uint64_t amount = 0;
        for (auto car : lot.getCars()) amount += value(car);
        total.setAmount(amount);
    }

    static uint64_t answer(Response::Reader total) { return total.getAmount(); }

private:
    static void fill(const inputs::Car &from, jobs::Car::Builder to) {
        to.setMake(asText(from.make));
        to.setModel(asText(from.model));
        to.setColor(static_cast<jobs::Color>(from.color));
        to.setSeats(from.seats);
        to.setDoors(from.doors);
        auto wheels = to.initWheels(4);
        for (unsigned i = 0; i < 4; ++i) {
            auto wheel = wheels[i];
            wheel.setDiameter(from.diameter);
            wheel.setPressure(from.pressure[i]);
            wheel.setSnowTires(from.snowTires);
        }
        to.setLength(from.length);
        to.setWidth(from.width);
        to.setHeight(from.height);
        to.setWeight(from.weight);
        auto engine = to.initEngine();
        engine.setHorsepower(from.horsepower);
        engine.setCylinders(from.cylinders);
        engine.setCc(from.cc);
        engine.setUsesGas(from.usesGas);
        engine.setUsesElectric(from.usesElectric);
        to.setFuelCapacity(from.fuelCapacity);
        to.setFuelLevel(from.fuelLevel);
        to.setPowerWindows(from.powerWindows);
        to.setPowerSteering(from.powerSteering);
        to.setCruiseControl(from.cruiseControl);
        to.setCupHolders(from.cupHolders);
        to.setNavSystem(from.navSystem);
    }

    static uint64_t value(jobs::Car::Reader car) {
        uint64_t value = 7 * car.getMake().size() + 3 * car.getModel().size();
        value += 10 * static_cast<uint16_t>(car.getColor()) + 200 * car.getSeats() + 350 * car.getDoors();
        for (auto wheel : car.getWheels()) {
            value += wheel.getDiameter() * wheel.getDiameter() + static_cast<uint32_t>(wheel.getPressure());
            if (wheel.getSnowTires()) value += 100;
        }
        value += static_cast<uint64_t>(car.getLength()) * car.getWidth() * car.getHeight() / 50 + car.getWeight() / 4;
        auto engine = car.getEngine();
        value += 40 * engine.getHorsepower() + 50 * engine.getCylinders() + engine.getCc() / 10;
        if (engine.getUsesElectric()) value += engine.getUsesGas() ? 5000 : 3000;
        value += static_cast<uint32_t>(car.getFuelCapacity()) + 2 * static_cast<uint32_t>(car.getFuelLevel());
        if (car.getPowerWindows()) value += 100;
        if (car.getPowerSteering()) value += 200;
        if (car.getCruiseControl()) value += 400;
        if (car.getNavSystem()) value += 2000;
        return value + 25 * car.getCupHolders();
    }
};

struct Catrank {
    using Request = jobs::SearchResults;
    using Response = jobs::SearchResults;

    static void ask(uint32_t input, Request::Builder request) {
        inputs::Random random(inputs::Job::catrank, input);
        inputs::Hits hits(random);
        for (auto result : request.initResults(hits.count())) {
            inputs::Hit hit = hits.next();
            result.setScore(hit.score);
            result.setUrl(asText(hit.url));
            result.setSnippet(asText(hit.snippet));
        }
    }

    static void serve(Request::Reader request, Response::Builder response) {
        auto results = request.getResults();
        std::vector<Scored> scored;
        scored.reserve(results.size());
        for (auto result : results) scored.push_back({score(result), result});
        std::sort(scored.begin(), scored.end(), [](const Scored &a, const Scored &b) { return a.score > b.score; });
        auto ranked = response.initResults(scored.size());
        for (size_t i = 0; i < scored.size(); ++i) {
            auto to = ranked[i];
            to.setScore(scored[i].score);
            to.setUrl(scored[i].result.getUrl());
            to.setSnippet(scored[i].result.getSnippet());
        }
    }

    static uint64_t answer(Response::Reader response) {
        uint32_t fold = 0;
        for (auto result : response.getResults()) {
            auto url = result.getUrl();
            uint32_t last = url.size() == 0 ? 0 : static_cast<uint8_t>(url[url.size() - 1]);
            uint32_t texts = 7 * url.size() + last + result.getSnippet().size();
            fold = 31 * fold + static_cast<uint32_t>(static_cast<int64_t>(result.getScore())) + texts;
        }
        return fold;
    }

private:
    struct Scored {
        double score;
        jobs::SearchResult::Reader result;
    };

    static double score(jobs::SearchResult::Reader result) {
        double score = result.getScore();
        // It has no place in an order, and sorting relies on one.
        if (std::isnan(score)) throw std::runtime_error("a score is no number");
        const char *snippet = result.getSnippet().cStr();
        if (std::strstr(snippet, " cat ") != nullptr) score += 10000;
        if (std::strstr(snippet, " dog ") != nullptr) score -= 10000;
        return score;
    }
};

struct Eval {
    using Request = jobs::Expression;
    using Response = jobs::Evaluation;

    static void ask(uint32_t input, Request::Builder expression) {
        inputs::Random random(inputs::Job::eval, input);
        grow(random, 0, expression);
    }

    static void serve(Request::Reader expression, Response::Builder evaluation) {
        evaluation.setValue(evaluate(expression));
    }

    static uint64_t answer(Response::Reader evaluation) {
        return static_cast<uint64_t>(static_cast<int64_t>(evaluation.getValue()));
    }

private:
    static void grow(inputs::Random &random, uint32_t depth, jobs::Expression::Builder expression) {
        expression.setOperation(static_cast<jobs::Operation>(inputs::operation(random)));
        if (inputs::isLeaf(random, depth))
            expression.getLeft().setValue(inputs::number(random));
        else
            grow(random, depth + 1, expression.getLeft().initExpression());
        if (inputs::isLeaf(random, depth))
            expression.getRight().setValue(inputs::number(random));
        else
            grow(random, depth + 1, expression.getRight().initExpression());
    }

    template <class Operand> static int32_t operand(Operand operand) {
        return operand.isValue() ? operand.getValue() : evaluate(operand.getExpression());
    }

    static int32_t evaluate(jobs::Expression::Reader expression) {
        int32_t left = operand(expression.getLeft());
        int32_t right = operand(expression.getRight());
        return inputs::apply(static_cast<uint32_t>(expression.getOperation()), left, right);
    }
};
