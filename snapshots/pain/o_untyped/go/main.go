package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var copies any
		if text := cfg.Require("copies"); json.Unmarshal([]byte(text), &copies) != nil {
			copies = text
		}

		entries, err := entriesOf(copies)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			key := entry["key"]
			_, err = random.NewRandomPet(ctx, fmt.Sprintf("some-%v", key), nil)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// entriesOf lists the keys and values of a dynamic map, in the order of keys, or of a list.
func entriesOf(value any) ([]map[string]any, error) {
	entries := []map[string]any{}
	switch collection := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(collection)) {
			entries = append(entries, map[string]any{"key": key, "value": collection[key]})
		}
	case []any:
		for index, item := range collection {
			entries = append(entries, map[string]any{"key": index, "value": item})
		}
	default:
		return nil, fmt.Errorf("expected a map or a list, found %T", value)
	}
	return entries, nil
}
