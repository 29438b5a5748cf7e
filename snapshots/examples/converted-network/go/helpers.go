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

// entryOf returns the value of a key, which must exist.
func entryOf[T any](members map[string]T, key string) (T, error) {
	value, ok := members[key]
	if !ok {
		return value, fmt.Errorf("there is no %q in the map", key)
	}
	return value, nil
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
