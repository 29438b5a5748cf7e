// Drives the page of `pclgen view` in Chromium: steps as JSON on standard input, their answers as JSON on standard output.
//
//     node drive.cjs MODULES CHROMIUM < steps.json
//
// A step is [name, ...arguments]; see `STEPS`. The answer has a value for each step, the messages of the console, and the
// addresses of requests that were not to the page's own host.

"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const [modules, chromium] = process.argv.slice(2);
const { chromium: browser } = require(path.join(modules, "playwright-core"));

// Others look for updates, and fail without a network.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const STEPS = {
  open: (page, url) => page.goto(url).then(() => null),
  size: (page, width, height) => page.setViewportSize({ width, height }).then(() => null),
  click: (page, selector) => page.locator(selector).first().click().then(() => null),
  hover: (page, selector) => page.locator(selector).first().hover().then(() => null),
  focus: (page, selector) => page.locator(selector).first().focus().then(() => null),
  fill: (page, selector, text) => page.locator(selector).first().fill(text).then(() => null),
  check: (page, selector) => page.locator(selector).first().check().then(() => null),
  press: (page, key) => page.keyboard.press(key).then(() => null),
  type: (page, text) => page.keyboard.type(text).then(() => null),
  wait: (page, selector) => page.locator(selector).first().waitFor().then(() => null),
  texts: (page, selector) => page.locator(selector).allTextContents(),
  count: (page, selector) => page.locator(selector).count(),
  attribute: (page, selector, name) => page.locator(selector).first().getAttribute(name),
  evaluate: (page, expression) => page.evaluate(expression),
  picture: (page, file) => page.screenshot({ path: file }).then(() => null),
};

async function main() {
  const steps = JSON.parse(fs.readFileSync(0, "utf8"));
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "pclgen-browser-"));
  const context = await browser.launchPersistentContext(profile, { executablePath: chromium, args: FLAGS, headless: true });
  const answer = { values: [], console: [], requests: [] };
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => answer.console.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => answer.console.push(`error: ${error.message}`));
    page.on("request", (request) => answer.requests.push(request.url()));
    for (const [name, ...rest] of steps) {
      answer.values.push(await STEPS[name](page, ...rest));
    }
  } finally {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
  console.log(JSON.stringify(answer));
}

main().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});
