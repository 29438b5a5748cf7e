package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		e := cfg.RequireBool("e")

		var src any = map[string]any{}
		if e {
			src2, err := notImplemented("x")
			if err != nil {
				return err
			}
			src = src2
		}

		entries, err := entriesOf(src)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			key := entry["key"]
			prefix, err := optionally(key, toText)
			if err != nil {
				return err
			}
			_, err = random.NewRandomPet(ctx, fmt.Sprintf("a-%v", key), &random.RandomPetArgs{
				Prefix: pulumi.StringPtrFromPtr(prefix),
			})
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

// notImplemented stands for what has no translation yet.
func notImplemented(message string) (any, error) {
	return nil, errors.New("not implemented: " + message)
}

// optionally converts a dynamic value that may be null.
func optionally[T any](value any, convert func(any) (T, error)) (*T, error) {
	if found := reflect.ValueOf(value); !found.IsValid() || found.Kind() == reflect.Pointer && found.IsNil() {
		return nil, nil
	}
	result, err := convert(value)
	return &result, err
}

// toText returns the text form of a string, a number or a boolean.
func toText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case bool, int, pulumi.ID, pulumi.URN:
		return fmt.Sprint(v), nil
	default:
		found := reflect.ValueOf(value)
		if found.Kind() == reflect.Pointer && !found.IsNil() {
			return toText(found.Elem().Interface())
		}
		if found.Kind() == reflect.String {
			return found.String(), nil
		}
		return "", fmt.Errorf("expected text, found %T", value)
	}
}
