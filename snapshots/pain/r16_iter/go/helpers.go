package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// entriesWithin lists the keys and values of a map of any type, in the order of keys, or of a list.
func entriesWithin(value any) ([]map[string]any, error) {
	entries := []map[string]any{}
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

// notImplemented fails: this part of the program has no translation yet.
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

// toText returns the text form of a string, a number without an exponent, or a boolean.
func toText(value any) (string, error) {
	scalar := reflect.Indirect(reflect.ValueOf(value))
	switch {
	case scalar.CanFloat():
		return strconv.FormatFloat(scalar.Float(), 'f', -1, 64), nil
	case scalar.CanInt(), scalar.Kind() == reflect.Bool, scalar.Kind() == reflect.String:
		return fmt.Sprint(scalar.Interface()), nil
	}
	return "", fmt.Errorf("expected text, found %T", value)
}
