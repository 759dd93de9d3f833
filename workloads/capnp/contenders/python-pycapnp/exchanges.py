"""The three jobs: what the client asks, what the server does, and what the client reads."""

import operator
import pathlib

import capnp
import inputs

# The library brings the schemas that ours imports from `/capnp`.
_LIBRARY = pathlib.Path(capnp.__file__).parent.parent
_SCHEMA = pathlib.Path(__file__).parent / "with/schema/jobs.capnp"
_jobs = capnp.load(str(_SCHEMA), imports=[str(_LIBRARY)])


class Carsales:
    """The value of all cars in a parking lot."""

    request = _jobs.ParkingLot
    response = _jobs.TotalValue

    @staticmethod
    def ask(number, lot):
        draw = inputs.random(inputs.CARSALES, number)
        for car in lot.init("cars", inputs.car_count(draw)):
            _fill(inputs.Car(draw), car)

    @staticmethod
    def serve(lot, total):
        total.amount = sum(map(_value, lot.cars))

    @staticmethod
    def answer(total):
        return total.amount


def _fill(source, car):
    car.make = source.make
    car.model = source.model
    car.color = source.color
    car.seats = source.seats
    car.doors = source.doors
    wheels = car.init("wheels", 4)
    for wheel, pressure in zip(wheels, source.pressure):
        wheel.diameter = source.diameter
        wheel.pressure = pressure
        wheel.snowTires = source.snow_tires
    car.length = source.length
    car.width = source.width
    car.height = source.height
    car.weight = source.weight
    engine = car.init("engine")
    engine.horsepower = source.horsepower
    engine.cylinders = source.cylinders
    engine.cc = source.cc
    engine.usesGas = source.uses_gas
    engine.usesElectric = source.uses_electric
    car.fuelCapacity = source.fuel_capacity
    car.fuelLevel = source.fuel_level
    car.powerWindows = source.power_windows
    car.powerSteering = source.power_steering
    car.cruiseControl = source.cruise_control
    car.cupHolders = source.cup_holders
    car.navSystem = source.nav_system


def _value(car):
    value = 7 * len(car.make) + 3 * len(car.model)
    value += 10 * car.color.raw + 200 * car.seats + 350 * car.doors
    for wheel in car.wheels:
        value += wheel.diameter**2 + int(wheel.pressure) + 100 * wheel.snowTires
    value += car.length * car.width * car.height // 50 + car.weight // 4
    engine = car.engine
    value += 40 * engine.horsepower + 50 * engine.cylinders + engine.cc // 10
    if engine.usesElectric:
        value += 5000 if engine.usesGas else 3000
    value += int(car.fuelCapacity) + 2 * int(car.fuelLevel)
    value += 100 * car.powerWindows + 200 * car.powerSteering + 400 * car.cruiseControl + 2000 * car.navSystem
    return value + 25 * car.cupHolders


class Catrank:
    """Search results, sorted after cats and dogs were looked for in them."""

    request = _jobs.SearchResults
    response = _jobs.SearchResults

    @staticmethod
    def ask(number, request):
        count, hits = inputs.hits(inputs.random(inputs.CATRANK, number))
        for result, (url, score, snippet) in zip(request.init("results", count), hits):
            result.url = url
            result.score = score
            result.snippet = snippet

    @staticmethod
    def serve(request, response):
        scored = [(_score(result), result) for result in request.results]
        scored.sort(key=operator.itemgetter(0), reverse=True)
        for to, (score, result) in zip(response.init("results", len(scored)), scored):
            to.url = result.url
            to.score = score
            to.snippet = result.snippet

    @staticmethod
    def answer(response):
        fold = 0
        for result in response.results:
            url = result.url
            texts = 7 * len(url) + (ord(url[-1]) if url else 0) + len(result.snippet)
            fold = 31 * fold + int(result.score) + texts & 0xFFFF_FFFF
        return fold


def _score(result):
    score = result.score
    snippet = result.snippet
    if " cat " in snippet:
        score += 10000
    if " dog " in snippet:
        score -= 10000
    return score


class Eval:
    """The value of a tree of arithmetic."""

    request = _jobs.Expression
    response = _jobs.Evaluation

    @staticmethod
    def ask(number, expression):
        _grow(inputs.random(inputs.EVAL, number), 0, expression)

    @staticmethod
    def serve(expression, evaluation):
        evaluation.value = _evaluate(expression)

    @staticmethod
    def answer(evaluation):
        return evaluation.value


def _grow(draw, depth, expression):
    expression.operation = inputs.operation(draw)
    for side in (expression.left, expression.right):
        if inputs.is_leaf(draw, depth):
            side.value = inputs.number(draw)
        else:
            _grow(draw, depth + 1, side.init("expression"))


def _evaluate(expression):
    left, right = expression.left, expression.right
    return inputs.apply(
        expression.operation.raw,
        left.value if left.which() == "value" else _evaluate(left.expression),
        right.value if right.which() == "value" else _evaluate(right.expression),
    )


EXCHANGES = {"carsales": Carsales, "catrank": Catrank, "eval": Eval}
