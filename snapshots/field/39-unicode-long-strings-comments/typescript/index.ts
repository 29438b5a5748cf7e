// Line comment with slashes: äöü — “quotes”
// Hash comment: 日本語

import * as pulumi from "@pulumi/pulumi";
import * as github from "@pulumi/github";

const config = new pulumi.Config();

// A block comment
// over several lines
const größe = config.get("größe") ?? "groß"; // trailing comment

const greeting = "こんにちは世界 🌍 — naïve café";
export const control = "bell\x07 escape\x1b null-ish 🚀";
export const quotes = `'single' "double" \`backtick\` ${greeting} \\n`;

const long =
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur.";

// The team that owns the emoji
const team = new github.Team("team", {
    name: "équipe-été", // accents
    description: long,
});

const label = new github.IssueLabel("label", {
    repository: "shop",
    name: "🐛 bug",
    color: "ff0000",
    // inline
    description: pulumi.interpolate`${greeting}: ${team.name} % {not} {{a}} {0} %s %%`,
});

const readme = new github.RepositoryFile("readme", {
    repository: "shop",
    file: "README.md",
    content: pulumi.interpolate`# ${größe} ${team.slug}

\`\`\`js
const x = \`a \${b}\`; // "c" 'd' """e"""
\`\`\`
Line with trailing backslash \\
Ünïcödé
`,
});
