// Tokenizes texts with the engine of VS Code: node tokenize.cjs NODE_MODULES EXTENSION FILE; FILE holds [{"scope": …, "text": …}]
// Prints, for each text, its lines as [text, scopes] pairs, and the scopes that are open after its last line.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const [modules, extension, requests] = process.argv.slice(2);
const textmate = require(path.join(modules, "vscode-textmate"));
const oniguruma = require(path.join(modules, "vscode-oniguruma"));
const wasm = fs.readFileSync(path.join(modules, "vscode-oniguruma/release/onig.wasm"));
const { contributes } = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8"));

// Just enough of Markdown to inject into.
const MARKDOWN = JSON.stringify({ scopeName: "text.html.markdown", patterns: [{ match: "^#.*", name: "heading" }] });

async function main() {
    await oniguruma.loadWASM(wasm);
    const registry = new textmate.Registry({
        onigLib: Promise.resolve({
            createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
            createOnigString: (text) => new oniguruma.OnigString(text),
        }),
        loadGrammar: async (scope) => {
            const entry = contributes.grammars.find((grammar) => grammar.scopeName === scope);
            if (entry === undefined) return scope === "text.html.markdown" ? textmate.parseRawGrammar(MARKDOWN, "m.json") : null;
            const file = path.join(extension, entry.path);
            return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
        },
        getInjections: (scope) =>
            contributes.grammars.filter((grammar) => grammar.injectTo?.includes(scope)).map((grammar) => grammar.scopeName),
    });
    const results = [];
    for (const { scope, text } of JSON.parse(fs.readFileSync(requests, "utf8"))) {
        const grammar = await registry.loadGrammar(scope);
        let stack = textmate.INITIAL;
        const lines = [];
        for (const line of text.split(/\r?\n/)) {
            const result = grammar.tokenizeLine(line, stack);
            stack = result.ruleStack;
            lines.push(result.tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes]));
        }
        results.push({ lines, open: grammar.tokenizeLine("", stack).tokens[0].scopes, depth: stack.depth });
    }
    process.stdout.write(JSON.stringify(results));
}

main();
