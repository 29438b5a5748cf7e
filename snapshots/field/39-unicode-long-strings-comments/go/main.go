// Line comment with slashes: äöü — “quotes”
// Hash comment: 日本語

package main

import (
	"fmt"

	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// A block comment
		// over several lines
		// trailing comment
		größe, err := cfg.Try("größe")
		if err != nil {
			größe = "groß"
		}

		greeting := "こんにちは世界 🌍 — naïve café"
		control := "bell\a escape\x1b null-ish 🚀"
		quotes := fmt.Sprintf("'single' \"double\" `backtick` %s \\n", greeting)
		long := "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur."

		// The team that owns the emoji
		team, err := github.NewTeam(ctx, "team", &github.TeamArgs{
			// accents
			Name:        pulumi.String("équipe-été"),
			Description: pulumi.String(long),
		})
		if err != nil {
			return err
		}

		_, err = github.NewIssueLabel(ctx, "label", &github.IssueLabelArgs{
			Repository: pulumi.String("shop"),
			Name:       pulumi.String("🐛 bug"),
			Color:      pulumi.String("ff0000"),
			// inline
			Description: pulumi.Sprintf("%s: %s %% {not} {{a}} {0} %%s %%%%", greeting, team.Name),
		})
		if err != nil {
			return err
		}

		_, err = github.NewRepositoryFile(ctx, "readme", &github.RepositoryFileArgs{
			Repository: pulumi.String("shop"),
			File:       pulumi.String("README.md"),
			Content: pulumi.Sprintf(
				"# %s %s\n"+
					"\n"+
					"```js\n"+
					"const x = `a ${b}`; // \"c\" 'd' \"\"\"e\"\"\"\n"+
					"```\n"+
					"Line with trailing backslash \\\n"+
					"Ünïcödé\n",
				größe,
				team.Slug,
			),
		})
		if err != nil {
			return err
		}

		ctx.Export("quotes", pulumi.String(quotes))
		ctx.Export("control", pulumi.String(control))
		return nil
	})
}
