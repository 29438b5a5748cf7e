package main

import (
	"fmt"
)

// attempt calls a function and turns a panic into an error.
func attempt[T any](compute func() (T, error)) (value T, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	return compute()
}

// firstOf returns the first value that can be computed.
func firstOf[T any](attempts ...func() (T, error)) (value T, err error) {
	for _, compute := range attempts {
		if value, err = attempt(compute); err == nil {
			break
		}
	}
	return value, err
}

// itemAt returns the element at an index, which must exist.
func itemAt[T any](items []T, index int) (T, error) {
	if index < 0 || index >= len(items) {
		var none T
		return none, fmt.Errorf("index %d is out of range of %d elements", index, len(items))
	}
	return items[index], nil
}

// requireMembers fails if an object lacks a required member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
