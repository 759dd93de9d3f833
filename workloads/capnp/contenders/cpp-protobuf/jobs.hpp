// The three jobs on Protocol Buffers' messages. Each has `ask` (the client fills a request from input `input`), `serve`
// (the server answers it) and `answer` (what the client reads from the response).
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "jobs.pb.h"
#include "with/for-cpp/inputs.hpp"

struct Carsales {
    using Request = jobs::ParkingLot;
    using Response = jobs::TotalValue;

    static void ask(uint32_t input, Request &lot) {
        inputs::Random random(inputs::Job::carsales, input);
        for (uint32_t left = inputs::carCount(random); left > 0; --left) fill(inputs::nextCar(random), *lot.add_cars());
    }

    static void serve(const Request &lot, Response &total) {
        uint64_t amount = 0;
        for (const jobs::Car &car : lot.cars()) amount += value(car);
        total.set_amount(amount);
    }

    static uint64_t answer(const Response &total) { return total.amount(); }

private:
    static void fill(const inputs::Car &from, jobs::Car &to) {
        to.set_make(from.make.data(), from.make.size());
        to.set_model(from.model.data(), from.model.size());
        to.set_color(from.color);
        to.set_seats(from.seats);
        to.set_doors(from.doors);
        for (float pressure : from.pressure) {
            jobs::Wheel &wheel = *to.add_wheels();
            wheel.set_diameter(from.diameter);
            wheel.set_pressure(pressure);
            wheel.set_snow_tires(from.snowTires);
        }
        to.set_length(from.length);
        to.set_width(from.width);
        to.set_height(from.height);
        to.set_weight(from.weight);
        jobs::Engine &engine = *to.mutable_engine();
        engine.set_horsepower(from.horsepower);
        engine.set_cylinders(from.cylinders);
        engine.set_cc(from.cc);
        engine.set_uses_gas(from.usesGas);
        engine.set_uses_electric(from.usesElectric);
        to.set_fuel_capacity(from.fuelCapacity);
        to.set_fuel_level(from.fuelLevel);
        to.set_power_windows(from.powerWindows);
        to.set_power_steering(from.powerSteering);
        to.set_cruise_control(from.cruiseControl);
        to.set_cup_holders(from.cupHolders);
        to.set_nav_system(from.navSystem);
    }

    static uint64_t value(const jobs::Car &car) {
        uint64_t value = 7 * car.make().size() + 3 * car.model().size();
        value += uint64_t{10} * car.color() + uint64_t{200} * car.seats() + uint64_t{350} * car.doors();
        for (const jobs::Wheel &wheel : car.wheels()) {
            value += uint64_t{wheel.diameter()} * wheel.diameter() + static_cast<uint32_t>(wheel.pressure());
            if (wheel.snow_tires()) value += 100;
        }
        value += uint64_t{car.length()} * car.width() * car.height() / 50 + car.weight() / 4;
        const jobs::Engine &engine = car.engine();
        value += uint64_t{40} * engine.horsepower() + uint64_t{50} * engine.cylinders() + engine.cc() / 10;
        if (engine.uses_electric()) value += engine.uses_gas() ? 5000 : 3000;
        value += static_cast<uint32_t>(car.fuel_capacity()) + 2 * static_cast<uint32_t>(car.fuel_level());
        if (car.power_windows()) value += 100;
        if (car.power_steering()) value += 200;
        if (car.cruise_control()) value += 400;
        if (car.nav_system()) value += 2000;
        return value + uint64_t{25} * car.cup_holders();
    }
};

struct Catrank {
    using Request = jobs::SearchResults;
    using Response = jobs::SearchResults;

    static void ask(uint32_t input, Request &request) {
        inputs::Random random(inputs::Job::catrank, input);
        inputs::Hits hits(random);
        for (uint32_t left = hits.count(); left > 0; --left) {
            inputs::Hit hit = hits.next();
            jobs::SearchResult &result = *request.add_results();
            result.set_score(hit.score);
            result.set_url(hit.url.data(), hit.url.size());
            result.set_snippet(hit.snippet.data(), hit.snippet.size());
        }
    }

    static void serve(const Request &request, Response &response) {
        std::vector<Scored> scored;
        scored.reserve(request.results_size());
        for (const jobs::SearchResult &result : request.results()) scored.push_back({score(result), &result});
        std::sort(scored.begin(), scored.end(), [](const Scored &a, const Scored &b) { return a.score > b.score; });
        for (const Scored &from : scored) {
            jobs::SearchResult &to = *response.add_results();
            to.set_score(from.score);
            to.set_url(from.result->url());
            to.set_snippet(from.result->snippet());
        }
    }

    static uint64_t answer(const Response &response) {
        uint32_t fold = 0;
        for (const jobs::SearchResult &result : response.results()) {
            const std::string &url = result.url();
            uint32_t last = url.empty() ? 0 : static_cast<uint8_t>(url.back());
            uint32_t texts = 7 * url.size() + last + result.snippet().size();
            fold = 31 * fold + static_cast<uint32_t>(static_cast<int64_t>(result.score())) + texts;
        }
        return fold;
    }

private:
    struct Scored {
        double score;
        const jobs::SearchResult *result;
    };

    static double score(const jobs::SearchResult &result) {
        double score = result.score();
        // It has no place in an order, and sorting relies on one.
        if (std::isnan(score)) throw std::runtime_error("a score is no number");
        if (result.snippet().find(" cat ") != std::string::npos) score += 10000;
        if (result.snippet().find(" dog ") != std::string::npos) score -= 10000;
        return score;
    }
};

struct Eval {
    using Request = jobs::Expression;
    using Response = jobs::Evaluation;

    static void ask(uint32_t input, Request &expression) {
        inputs::Random random(inputs::Job::eval, input);
        grow(random, 0, expression);
    }

    static void serve(const Request &expression, Response &evaluation) { evaluation.set_value(evaluate(expression)); }

    static uint64_t answer(const Response &evaluation) {
        return static_cast<uint64_t>(static_cast<int64_t>(evaluation.value()));
    }

private:
    static void grow(inputs::Random &random, uint32_t depth, jobs::Expression &expression) {
        expression.set_operation(inputs::operation(random));
        if (inputs::isLeaf(random, depth))
            expression.set_left_value(inputs::number(random));
        else
            grow(random, depth + 1, *expression.mutable_left_expression());
        if (inputs::isLeaf(random, depth))
            expression.set_right_value(inputs::number(random));
        else
            grow(random, depth + 1, *expression.mutable_right_expression());
    }

    static int32_t evaluate(const jobs::Expression &e) {
        int32_t left = e.has_left_expression() ? evaluate(e.left_expression()) : e.left_value();
        int32_t right = e.has_right_expression() ? evaluate(e.right_expression()) : e.right_value();
        return inputs::apply(e.operation(), left, right);
    }
};
