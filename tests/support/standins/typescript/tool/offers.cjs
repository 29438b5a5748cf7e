// What npm packages offer: one line for every class, member, function and type that they export.
// Arguments: a folder with node_modules, then names of packages.  Prints {package: [lines]} as JSON.
"use strict";
const [folder, ...packages] = process.argv.slice(2);
const path = require("path");
const ts = require(require.resolve("typescript", { paths: [process.env.TOOLS] }));

const main = path.join(folder, "offers-main.ts");
const text = packages.map((name, at) => `import * as p${at} from ${JSON.stringify(name)};\nexport { p${at} };\n`).join("");
const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: [],
    noEmit: true,
};
const host = ts.createCompilerHost(options);
const readFile = host.readFile, fileExists = host.fileExists, getSourceFile = host.getSourceFile;
host.fileExists = (name) => name === main || fileExists(name);
host.readFile = (name) => (name === main ? text : readFile(name));
host.getSourceFile = (name, ...rest) =>
    name === main ? ts.createSourceFile(name, text, options.target, true) : getSourceFile(name, ...rest);
const program = ts.createProgram([main], options, host);
const checker = program.getTypeChecker();
const F = ts.TypeFormatFlags;
const FLAGS = F.NoTruncation | F.UseAliasDefinedOutsideCurrentScope | F.WriteArrayAsGenericType;

const resolved = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
const sorted = (text) => text.split(" | ").sort().join(" | ");
const typeText = (type) => sorted(checker.typeToString(type, undefined, FLAGS));
const signatureText = (signature) => {
    const parameters = signature.getParameters().map((found) => {
        const declaration = found.valueDeclaration;
        const optional = declaration && declaration.questionToken ? "?" : "";
        return `${found.name}${optional}: ${typeText(checker.getTypeOfSymbol(found))}`;
    });
    return `(${parameters.join(", ")}) => ${typeText(signature.getReturnType())}`;
};

function members(type, place, own, lines) {
    for (const found of type.getProperties()) {
        const declaration = found.declarations && found.declarations[0];
        if (declaration === undefined || (own && !declaration.getSourceFile().fileName.startsWith(own))) {
            continue;
        }
        if (found.name === "prototype" || found.name.startsWith("__")) {
            continue;
        }
        const optional = found.flags & ts.SymbolFlags.Optional ? "?" : "";
        const fixed = ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly ? "readonly " : "";
        const type = checker.getTypeOfSymbol(found);
        const signatures = type.getCallSignatures();
        if (signatures.length) {
            signatures.forEach((signature) => lines.push(`${place}${found.name}${signatureText(signature)}`));
        } else {
            lines.push(`${fixed}${place}${found.name}${optional}: ${typeText(type)}`);
        }
    }
}

function exported(module, place, own, lines) {
    for (const found of checker.getExportsOfModule(module)) {
        const symbol = resolved(found);
        const name = `${place}${found.name}`;
        const S = ts.SymbolFlags;
        if (symbol.flags & S.Class || (symbol.flags & S.Variable && symbol.flags & S.TypeAlias)) {
            const statics = checker.getTypeOfSymbol(symbol);
            members(statics, `${name}.`, own, lines);
            for (const signature of statics.getConstructSignatures()) {
                lines.push(`new ${name}${signatureText(signature)}`);
                const instance = signature.getReturnType();
                lines.push(`${name} extends ${(checker.getBaseTypes(instance) ?? []).map(typeText)}`);
                members(instance, `${name}#`, own, lines);
                if (instance.symbol.exports) {
                    exported(instance.symbol, `${name}.`, own, lines);
                }
            }
            if (!statics.getConstructSignatures().length) {
                lines.push(`type ${name} = ${typeText(checker.getDeclaredTypeOfSymbol(symbol))}`);
            }
        } else if (symbol.flags & S.Interface) {
            lines.push(`interface ${name}`);
            members(checker.getDeclaredTypeOfSymbol(symbol), `${name}#`, undefined, lines);
        } else if (symbol.flags & S.Module) {
            exported(symbol, `${name}.`, own, lines);
        } else if (symbol.flags & S.Variable || symbol.flags & S.Function) {
            const type = checker.getTypeOfSymbol(symbol);
            const signatures = type.getCallSignatures();
            signatures.forEach((signature) => lines.push(`function ${name}${signatureText(signature)}`));
            if (!signatures.length) {
                lines.push(`const ${name}: ${typeText(type)}`);
            }
        } else if (symbol.flags & S.TypeAlias) {
            lines.push(`type ${name} = ${typeText(checker.getDeclaredTypeOfSymbol(symbol))}`);
        }
    }
}

const out = {};
const root = checker.getSymbolAtLocation(program.getSourceFile(main));
checker.getExportsOfModule(root).forEach((symbol, at) => {
    const module = resolved(symbol);
    const own = path.dirname(module.declarations[0].getSourceFile().fileName);
    exported(module, "", own, (out[packages[at]] = []));
});
const problems = program.getSemanticDiagnostics(program.getSourceFile(main)).map((d) => d.messageText);
process.stdout.write(JSON.stringify({ offers: out, problems }));
