// Package harness runs programs with mocks and prints what they registered.
package harness

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
)

type outcome struct {
	Exports   map[string]any            `json:"exports"`
	Secrets   []string                  `json:"secrets"`
	Resources map[string]map[string]any `json:"resources"`
	Error     string                    `json:"error,omitempty"`
}

var (
	configs = readConfigs()
	results = map[string]*outcome{}
)

func readConfigs() map[string]map[string]string {
	values := map[string]map[string]string{}
	if err := json.NewDecoder(os.Stdin).Decode(&values); err != nil {
		panic(err)
	}
	return values
}

// What the provider of the test package adds to the inputs of every resource.
var computed = map[string]any{
	"out":   "out",
	"int":   3.0,
	"num":   2.5,
	"flag":  true,
	"names": []any{"x", "y"},
	"tags":  map[string]any{"b": "2", "a": "1"},
	"list":  []any{map[string]any{"s": "i", "n": 1.0, "inner": map[string]any{"s": "deep"}}},
	"any":   map[string]any{"k": []any{1.0, "two"}},
}

type mocks struct {
	mu     sync.Mutex
	result *outcome
}

func (m *mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.result.Resources[args.Name] = args.Inputs.Mappable()
	outputs := args.Inputs.Copy()
	for name, value := range computed {
		key := resource.PropertyKey(name)
		if _, isSet := outputs[key]; !isSet {
			outputs[key] = resource.NewPropertyValue(value)
		}
	}
	return args.Name + "-id", outputs, nil
}

func (m *mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return args.Args, nil
}

// Run is pulumi.Run with mocks, for the program called name.
func Run(name string, body func(ctx *pulumi.Context) error) {
	result := &outcome{Exports: map[string]any{}, Resources: map[string]map[string]any{}}
	results[name] = result
	config := map[string]string{}
	for key, value := range configs[name] {
		config["test:"+key] = value
	}
	err := pulumi.RunErr(func(ctx *pulumi.Context) (failure error) {
		defer func() {
			if panicked := recover(); panicked != nil {
				failure = fmt.Errorf("panic: %v", panicked)
			}
		}()
		if err := body(ctx); err != nil {
			return err
		}
		for key, value := range ctx.GetCurrentExportMap() {
			awaited, err := internals.UnsafeAwaitOutput(ctx.Context(), pulumi.ToOutput(value))
			if err != nil {
				return fmt.Errorf("export %s: %w", key, err)
			}
			result.Exports[key] = awaited.Value
			if awaited.Secret {
				result.Secrets = append(result.Secrets, key)
			}
		}
		return nil
	}, pulumi.WithMocks("test", "dev", &mocks{result: result}), func(info *pulumi.RunInfo) {
		info.Config = config
		info.Organization = "acme"
	})
	slices.Sort(result.Secrets)
	if err != nil {
		result.Error = err.Error()
	}
	if len(results) == len(configs) {
		print_()
	}
}

func print_() {
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}
