@0xd1a7c35e90b2f468;
# What the three jobs send. Answers and inputs are described in the README.

using Cxx = import "/capnp/c++.capnp";
using Go = import "go.capnp";
using Java = import "java.capnp";

$Cxx.namespace("jobs");
$Go.package("jobs");
$Go.import("tare/capnp/jobs");
$Java.package("jobs");
$Java.outerClassname("Jobs");

# carsales ----------------------------------------------------------------------------------------------------------

enum Color {
  black @0;
  white @1;
  red @2;
  green @3;
  blue @4;
  silver @5;
  cyan @6;
  yellow @7;
}

struct Wheel {
  diameter @0 :UInt16;      # inches
  pressure @1 :Float32;     # psi
  snowTires @2 :Bool;
}

struct Engine {
  horsepower @0 :UInt16;
  cylinders @1 :UInt8;
  cc @2 :UInt32;
  usesGas @3 :Bool;
  usesElectric @4 :Bool;
}

struct Car {
  make @0 :Text;
  model @1 :Text;
  color @2 :Color;
  seats @3 :UInt8;
  doors @4 :UInt8;
  wheels @5 :List(Wheel);
  length @6 :UInt16;        # inches, as width and height
  width @7 :UInt16;
  height @8 :UInt16;
  weight @9 :UInt32;        # kilograms
  engine @10 :Engine;
  fuelCapacity @11 :Float32; # gallons, as the level
  fuelLevel @12 :Float32;
  powerWindows @13 :Bool;
  powerSteering @14 :Bool;
  cruiseControl @15 :Bool;
  cupHolders @16 :UInt8;
  navSystem @17 :Bool;
}

struct ParkingLot {
  cars @0 :List(Car);
}

struct TotalValue {
  amount @0 :UInt64;
}

# catrank -----------------------------------------------------------------------------------------------------------

struct SearchResult {
  url @0 :Text;
  score @1 :Float64;
  snippet @2 :Text;
}

struct SearchResults {
  results @0 :List(SearchResult);
}

# eval --------------------------------------------------------------------------------------------------------------

enum Operation {
  add @0;
  subtract @1;
  multiply @2;
  divide @3;
  modulus @4;
}

struct Expression {
  operation @0 :Operation;
  left :union {
    value @1 :Int32;
    expression @2 :Expression;
  }
  right :union {
    value @3 :Int32;
    expression @4 :Expression;
  }
}

struct Evaluation {
  value @0 :Int32;
}
