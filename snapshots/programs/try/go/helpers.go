package main

import (
	"fmt"
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
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

// recoverOutput returns the output or, if it fails, the result of handle for the error.
func recoverOutput(ctx *pulumi.Context, output pulumi.Output, handle func(failure string) pulumi.Output) pulumi.Output {
	result, resolve, _ := ctx.NewOutput()
	go func() {
		if _, err := internals.UnsafeAwaitOutput(ctx.Context(), output); err != nil {
			resolve(handle(err.Error()))
		} else {
			resolve(output)
		}
	}()
	return result
}

// traverse follows a path of keys and indexes into a dynamic value.
func traverse(value any, path ...any) (any, error) {
	for _, step := range path {
		current, next := reflect.ValueOf(value), reflect.Value{}
		if current.Kind() == reflect.Map { // a number is a key, too
			next = current.MapIndex(reflect.ValueOf(fmt.Sprint(step)))
		}
		if index, ok := step.(int); ok && current.Kind() == reflect.Slice && index >= 0 && index < current.Len() {
			next = current.Index(index)
		}
		if !next.IsValid() {
			return nil, fmt.Errorf("there is no %v in the value", step)
		}
		value = next.Interface()
	}
	return value, nil
}
