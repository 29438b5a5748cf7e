// What the constructors of an npm package register with the engine.
// Arguments: a folder with node_modules, a package, and a file with [{path, inputs}] of its resources.
// Prints {path: request or error} as JSON, for every resource with all inputs, with none, and as an existing one.
"use strict";
const [folder, name, file] = process.argv.slice(2);
const fs = require("fs");
const path = require("path");
const load = (what) => require(require.resolve(what, { paths: [folder] }));
const pulumi = load("@pulumi/pulumi");

const requests = {};
const { MockMonitor } = load("@pulumi/pulumi/runtime/mocks");
for (const method of ["registerResource", "readResource"]) {
    const original = MockMonitor.prototype[method];
    MockMonitor.prototype[method] = function (request, callback) {
        const { sourceposition, stacktrace, requestid, ...rest } = request.toObject();
        requests[request.getName()] = { ...rest, object: undefined, values: request.getObject?.()?.toJavaScript() };
        requests[request.getName()].values ??= request.getProperties?.()?.toJavaScript();
        return original.call(this, request, callback);
    };
}
pulumi.runtime.setMocks({ newResource: (args) => ({ id: "id", state: args.inputs }), call: () => ({}) });

const found = load(name);
for (const { path: steps, inputs } of JSON.parse(fs.readFileSync(file, "utf8"))) {
    const kind = steps.reduce((place, step) => place[step], found);
    const args = Object.fromEntries(inputs.map((input) => [input, "v"]));
    const forms = {
        full: () => new kind(`full ${steps}`, args),
        empty: () => new kind(`empty ${steps}`, {}),
        existing: () => kind.get && kind.get(`existing ${steps}`, "some-id"),
    };
    for (const [form, make] of Object.entries(forms)) {
        try {
            make();
        } catch (error) {
            requests[`${form} ${steps}`] = String(error.message);
        }
    }
}
setTimeout(() => process.stdout.write(`\n${JSON.stringify(requests, (_, value) => value ?? undefined)}`), 500);
