package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

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
	var entries []map[string]any
	collection := reflect.ValueOf(value)
	switch collection.Kind() {
	case reflect.Map:
		for key, item := range collection.Seq2() {
			entries = append(entries, map[string]any{"key": key.String(), "value": item.Interface()})
		}
		slices.SortFunc(entries, func(a, b map[string]any) int {
			return strings.Compare(a["key"].(string), b["key"].(string))
		})
	case reflect.Slice:
		for index := range collection.Len() {
			entries = append(entries, map[string]any{"key": index, "value": collection.Index(index).Interface()})
		}
	default:
		return nil, fmt.Errorf("expected a map or a list, found %T", value)
	}
	return entries, nil
}
