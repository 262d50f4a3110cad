// Runs the search worker of a built site under Node: node search.js SITE < queries.json > results.json
// Both are JSON: a list of texts, and for each the groups of results, each a list of {location, title, score}.
const fs = require("fs");
const path = require("path");
const site = process.argv[2];
const workers = path.join(site, "assets/javascripts/workers");
const worker = fs.readdirSync(workers).find((name) => /^search.*\.js$/.test(name));
let receive;
global.self = global;
global.addEventListener = (_, handler) => (receive = handler);
const answers = [];
global.postMessage = (message) => answers.push(message);
new Function(fs.readFileSync(path.join(workers, worker), "utf-8"))();
const index = JSON.parse(fs.readFileSync(path.join(site, "search/search_index.json"), "utf-8"));
(async () => {
  const start = Date.now();
  await receive({ data: { type: 0, data: { ...index, options: { suggest: true } } } });
  const ready = Date.now();
  for (const query of JSON.parse(fs.readFileSync(0, "utf-8"))) await receive({ data: { type: 2, data: query } });
  const found = answers.filter((answer) => answer.type === 3).map((answer) => answer.data.items);
  const shown = found.map((groups) =>
    groups.slice(0, 10).map((group) => group.slice(0, 5).map(({ location, title, score }) => ({ location, title, score })))
  );
  console.log(JSON.stringify({ results: shown, setup: ready - start, queries: Date.now() - ready }));
})();
