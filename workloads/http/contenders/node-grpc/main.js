"use strict";
// A unary call of gRPC, by grpc-js. Node's own backlog (511) is the library's to set.

const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");

const { tare } = grpc.loadPackageDefinition(loadSync(path.join(__dirname, "with", "greeter.proto")));

function sayHello(call, callback) {
  callback(null, { message: `Hello, ${call.request.name}!` });
}

const server = new grpc.Server();
server.addService(tare.Greeter.service, { sayHello });
// On loopback, unless other machines are to reach it.
const host = process.env.HOST || "127.0.0.1";
server.bindAsync(`${host}:${process.argv[2]}`, grpc.ServerCredentials.createInsecure(), (error) => {
  if (error) {
    console.error(error);
    process.exit(1);
  }
});
