"use strict";
// Echoes messages over WebSocket, by the package ws. It answers pings itself.

const { WebSocketServer } = require("ws");

const BACKLOG = 4096;

const server = new WebSocketServer({
  // On loopback, unless other machines are to reach it.
  host: process.env.HOST || "127.0.0.1",
  port: Number(process.argv[2]),
  backlog: BACKLOG,
  path: "/ws",
});

server.on("connection", (socket) => {
  socket.on("message", (message, isBinary) => socket.send(message, { binary: isBinary }));
  // A connection that breaks concerns nobody but its peer.
  socket.on("error", () => {});
});
