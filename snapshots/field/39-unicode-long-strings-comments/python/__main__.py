# Line comment with slashes: äöü — “quotes”
# Hash comment: 日本語

import pulumi
import pulumi_github as github

config = pulumi.Config()

# A block comment
# over several lines
größe = config.get("größe", "groß")  # trailing comment

greeting = "こんにちは世界 🌍 — naïve café"
control = "bell\x07 escape\x1b null-ish 🚀"
quotes = f"'single' \"double\" `backtick` {greeting} \\n"

long = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur."

# The team that owns the emoji
team = github.Team(
    "team",
    name="équipe-été",  # accents
    description=long,
)

label = github.IssueLabel(
    "label",
    repository="shop",
    name="🐛 bug",
    color="ff0000",
    # inline
    description=pulumi.Output.format(
        "{0}: {1} % {{not}} {{{{a}}}} {{0}} %s %%", greeting, team.name
    ),
)

readme = github.RepositoryFile(
    "readme",
    repository="shop",
    file="README.md",
    content=pulumi.Output.format(
        """\
# {0} {1}

```js
const x = `a ${{b}}`; // "c" 'd' ""\"e""\"
```
Line with trailing backslash \\
Ünïcödé
""",
        größe,
        team.slug,
    ),
)

pulumi.export("quotes", quotes)
pulumi.export("control", control)
