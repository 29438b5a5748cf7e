/* Builds the script of the page, with the notices of the packages that are a part of it: `npm run build`. */

import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values } = parseArgs({
  options: { out: { type: "string", default: "../../pclgen/view" } },
});
const made = await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  write: false,
  metafile: true,
});
const inputs = Object.keys(made.metafile.inputs);
const names = new Set(inputs.flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []));
const notices = await Promise.all(
  [...names].sort().map(async (name) => {
    const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
    return `${name} ${version}\n\n${(await readFile(`node_modules/${name}/LICENSE`, "utf8")).trim()}\n`;
  }),
);
const head = "page.js contains parts of these packages.\n\n";
await writeFile(`${values.out}/page.js`, made.outputFiles[0].text.replaceAll("</script", "<\\/script"));
await writeFile(`${values.out}/NOTICE.txt`, head + notices.join(`\n${"-".repeat(80)}\n\n`));
