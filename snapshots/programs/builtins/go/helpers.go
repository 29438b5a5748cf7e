package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// element returns the element at an index that counts around the list, backwards when it is negative.
func element[T any](list []T, index int) T {
	return list[(index%len(list)+len(list))%len(list)]
}

// jsonOutput returns the JSON text of a value with outputs inside.
func jsonOutput(value any) pulumi.StringOutput {
	return pulumi.ToOutput(value).ApplyT(toJSON).(pulumi.StringOutput)
}

// numbersFrom lists the integers from start up to, not including, end.
func numbersFrom(start, end int) []int {
	numbers := make([]int, 0, max(0, end-start))
	for n := start; n < end; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// singleOrNone returns the only element of a list, or nil when it is empty.
func singleOrNone[T any](items []T) (*T, error) {
	if len(items) > 1 {
		return nil, fmt.Errorf("expected at most one element, found %d", len(items))
	}
	if len(items) == 0 {
		return nil, nil
	}
	return &items[0], nil
}

// toJSON returns the JSON text of a value, without the escapes that only HTML and JavaScript need.
func toJSON(value any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	plain := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")
	return plain.Replace(strings.TrimSuffix(text.String(), "\n")), nil
}
