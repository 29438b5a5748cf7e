"""Helper functions that a generated project contains when it needs them.

Comes in: names that the translation asked for.  Goes out: declarations (gofmt-clean text) and their imports.  Each is small
and does what the SDK has no function for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pclgen.records import dataclass
from pclgen.targets.go.sdk import CORE_PATH

_INTERNALS = CORE_PATH + "/internals"


@dataclass(frozen=True, slots=True)
class Helper:
    """A helper function: its text, the packages it imports, the helpers it calls."""

    text: str
    imports: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


HELPERS: Mapping[str, Helper] = {
    "decode": Helper(
        """
// decode turns a dynamic value into a T; text is read as JSON when T is no string.
func decode[T any](value any) (T, error) {
	var result T
	if _, single := any(result).(bool); single && value == nil {
		return result, errors.New("expected true or false, found null")
	}
	data, err := json.Marshal(value)
	if err != nil {
		return result, err
	}
	if err = json.Unmarshal(data, &result); err != nil {
		if text, ok := value.(string); ok && json.Unmarshal([]byte(text), &result) == nil {
			return result, nil
		}
	}
	return result, err
}
""",
        ("encoding/json", "errors"),
    ),
    "element": Helper(
        """
// element returns the element at an index that counts around the list, backwards when it is negative.
func element[T any](list []T, index int) T {
	return list[(index%len(list)+len(list))%len(list)]
}
"""
    ),
    "isEqual": Helper(
        """
// isEqual tells whether two values are the same as JSON, whatever types they have in Go.
func isEqual(one, other any) bool {
	var values [2]any
	for i, value := range []any{one, other} {
		data, err := json.Marshal(value)
		if err != nil || json.Unmarshal(data, &values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}
""",
        ("encoding/json", "reflect"),
    ),
    "toNumber": Helper(
        """
// toNumber returns the number that a value is, or that a text holds.
func toNumber[T int | float64](value any) (T, error) {
	found := reflect.Indirect(reflect.ValueOf(value))
	switch {
	case found.CanInt():
		return T(found.Int()), nil
	case found.CanFloat() && float64(T(found.Float())) == found.Float():
		return T(found.Float()), nil
	case found.Kind() == reflect.String && reflect.TypeFor[T]().Kind() == reflect.Int:
		number, err := strconv.Atoi(found.String())
		return T(number), err
	case found.Kind() == reflect.String:
		number, err := strconv.ParseFloat(found.String(), 64)
		if err != nil {
			return 0, err
		}
		return toNumber[T](number)
	default:
		return 0, fmt.Errorf("expected a number, found %v", value)
	}
}
""",
        ("fmt", "reflect", "strconv"),
    ),
    "optionally": Helper(
        """
// optionally converts a dynamic value that may be null.
func optionally[T any](value any, convert func(any) (T, error)) (*T, error) {
	if found := reflect.ValueOf(value); !found.IsValid() || found.Kind() == reflect.Pointer && found.IsNil() {
		return nil, nil
	}
	result, err := convert(value)
	return &result, err
}
""",
        ("reflect",),
    ),
    "singleValue": Helper(
        """
// singleValue returns what a pointer points to, and the text or number that a member of an enum stands for.
func singleValue(value any) any {
	found := reflect.ValueOf(value)
	if found.Kind() == reflect.Pointer {
		if found.IsNil() {
			return nil
		}
		found = found.Elem()
	}
	switch found.Kind() {
	case reflect.String:
		return found.String()
	case reflect.Int:
		return int(found.Int())
	case reflect.Float64:
		return found.Float()
	case reflect.Bool:
		return found.Bool()
	default:
		return value
	}
}
""",
        ("reflect",),
    ),
    "toText": Helper(
        """
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
""",
        ("fmt", "reflect", "strconv", CORE_PATH),
    ),
    "traverse": Helper(
        """
// traverse follows a path of keys and indexes into a dynamic value.
func traverse(value any, path ...any) (any, error) {
	for _, step := range path {
		current := reflect.ValueOf(value)
		var next reflect.Value
		switch key := step.(type) {
		case string:
			if current.Kind() == reflect.Map {
				next = current.MapIndex(reflect.ValueOf(key))
			}
		case int:
			if current.Kind() == reflect.Slice && key >= 0 && key < current.Len() {
				next = current.Index(key)
			}
		}
		if !next.IsValid() {
			return nil, fmt.Errorf("there is no %v in the value", step)
		}
		value = next.Interface()
	}
	return value, nil
}
""",
        ("fmt", "reflect"),
    ),
    "entryOf": Helper(
        """
// entryOf returns the value of a key, which must exist.
func entryOf[T any](members map[string]T, key string) (T, error) {
	value, ok := members[key]
	if !ok {
		return value, fmt.Errorf("there is no %q in the map", key)
	}
	return value, nil
}
""",
        ("fmt",),
    ),
    "itemAt": Helper(
        """
// itemAt returns the element at an index, which must exist.
func itemAt[T any](items []T, index int) (T, error) {
	if index < 0 || index >= len(items) {
		var none T
		return none, fmt.Errorf("index %d is out of range of %d elements", index, len(items))
	}
	return items[index], nil
}
""",
        ("fmt",),
    ),
    "attempt": Helper(
        """
// attempt calls a function and turns a panic into an error.
func attempt[T any](compute func() (T, error)) (value T, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	return compute()
}
""",
        ("fmt",),
    ),
    "firstOf": Helper(
        """
// firstOf returns the first value that can be computed.
func firstOf[T any](attempts ...func() (T, error)) (value T, err error) {
	for _, compute := range attempts {
		if value, err = attempt(compute); err == nil {
			break
		}
	}
	return value, err
}
""",
        needs=("attempt",),
    ),
    "recoverOutput": Helper(
        """
// recoverOutput is the output itself, or what handle makes of the error when it fails.
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
""",
        (CORE_PATH, _INTERNALS),
    ),
    "singleOrNone": Helper(
        """
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
""",
        ("fmt",),
    ),
    "requireMembers": Helper(
        """
// requireMembers fails when an object that is given lacks a member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
""",
        ("fmt",),
    ),
    "numbersFrom": Helper(
        """
// numbersFrom lists the integers from start up to, not including, end.
func numbersFrom(start, end int) []int {
	numbers := make([]int, 0, max(0, end-start))
	for n := start; n < end; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}
""",
    ),
    "entriesOf": Helper(
        """
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
""",
        ("fmt", "reflect", "slices", "strings"),
    ),
    "toJSON": Helper(
        r"""
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
""",
        ("encoding/json", "strings"),
    ),
    "jsonOutput": Helper(
        """
// jsonOutput returns the JSON text of a value with outputs inside.
func jsonOutput(value any) pulumi.StringOutput {
	return pulumi.ToOutput(value).ApplyT(toJSON).(pulumi.StringOutput)
}
""",
        (CORE_PATH,),
        ("toJSON",),
    ),
    "propertiesOf": Helper(
        """
// propertiesOf turns the structs in a value into maps with the property names of the schema; what is not set is left out.
func propertiesOf(value any) any {
	current := reflect.ValueOf(value)
	switch current.Kind() {
	case reflect.Pointer:
		if !current.IsNil() {
			return propertiesOf(current.Elem().Interface())
		}
	case reflect.Struct:
		members := map[string]any{}
		for index := range current.NumField() {
			member := current.Field(index)
			nullable := []reflect.Kind{reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface}
			missing := slices.Contains(nullable, member.Kind()) && member.IsNil()
			if name, ok := current.Type().Field(index).Tag.Lookup("pulumi"); ok && !missing {
				members[name] = propertiesOf(member.Interface())
			}
		}
		return members
	case reflect.Map:
		if !current.IsNil() {
			members := map[string]any{}
			for key, member := range current.Seq2() {
				members[key.String()] = propertiesOf(member.Interface())
			}
			return members
		}
	case reflect.Slice:
		if !current.IsNil() {
			items := make([]any, current.Len())
			for index := range items {
				items[index] = propertiesOf(current.Index(index).Interface())
			}
			return items
		}
	}
	return value
}
""",
        ("reflect", "slices"),
    ),
    "pointerTo": Helper(
        """
// pointerTo returns a pointer to a copy of the value.
func pointerTo[T any](value T) *T {
	return &value
}
""",
    ),
    "orNull": Helper(
        """
// orNull returns an output in which a list or a map that is nil is null; the SDK makes it empty.
func orNull[T any](value T) pulumi.Output {
	return pulumi.Int(0).ToIntOutput().ApplyT(func(int) T { return value })
}
""",
        (CORE_PATH,),
    ),
    "wholeNumber": Helper(
        """
// wholeNumber returns a number as an int, which it must be.
func wholeNumber(value float64) (int, error) {
	if float64(int(value)) != value {
		return 0, fmt.Errorf("expected a whole number, found %v", value)
	}
	return int(value), nil
}
""",
        ("fmt",),
    ),
    "notImplemented": Helper(
        """
// notImplemented stands for what has no translation yet.
func notImplemented(message string) (any, error) {
	return nil, errors.New("not implemented: " + message)
}
""",
        ("errors",),
    ),
}


def with_dependencies(names: Iterable[str]) -> tuple[str, ...]:
    """`names` and the helpers that they call, sorted."""
    wanted: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo.extend(HELPERS[name].needs)
    return tuple(sorted(wanted))
