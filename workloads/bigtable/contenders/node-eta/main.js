"use strict";
// The page by Eta, which compiles templates to functions when they are first used.

const path = require("node:path");
const { Eta } = require("eta");
const { serve } = require("./with/serve.js");

const eta = new Eta({ views: path.join(__dirname, "views"), cache: true });

serve((rows, columns) => eta.render("table", { rows, columns }));
