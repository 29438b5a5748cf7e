// Reads project files as the Pulumi CLI does, and says what each declares or why it is refused.
//
// Arguments: paths of Pulumi.yaml files.  Prints JSON: {path: {"config": …}} or {path: {"error": …}}.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
)

func main() {
	answers := map[string]map[string]any{}
	for _, path := range os.Args[1:] {
		project, err := workspace.LoadProject(path)
		if err != nil {
			answers[path] = map[string]any{"error": err.Error()}
		} else {
			answers[path] = map[string]any{"config": project.Config}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
