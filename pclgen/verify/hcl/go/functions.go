package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"github.com/zclconf/go-cty/cty/gocty"
)

// functions are those of PCL that need no deployment: cty's own where PCL has them from there.
var functions = map[string]function.Function{
	"try": tryfunc.TryFunc, "can": tryfunc.CanFunc,
	"element": element, "elementOrNothing": elementOrNothing, "join": stdlib.JoinFunc, "split": stdlib.SplitFunc,
	"max": stdlib.MaxFunc, "min": stdlib.MinFunc, "range": rangeFunction,
	"toJSON": toJSON, "lookup": lookup, "length": length, "entries": entries, "singleOrNone": singleOrNone,
	"toBase64": toBase64, "secret": same, "unsecret": same,
}

var anything = function.Parameter{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true}

// typed makes a function of one argument whose result has the type of the value.
func typed(parameter function.Parameter, run func(cty.Value) (cty.Value, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{parameter},
		Type: func(args []cty.Value) (cty.Type, error) {
			value, err := run(args[0])
			return value.Type(), err
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return run(args[0]) },
	})
}

// toJSON is cty's; in PCL with numbers as JavaScript writes them.
var toJSON = typed(anything, func(value cty.Value) (cty.Value, error) {
	encoded, err := stdlib.JSONEncode(value)
	if err != nil || !rows {
		return encoded, err
	}
	var decoded any
	if err := json.Unmarshal([]byte(encoded.AsString()), &decoded); err != nil {
		return cty.NilVal, err
	}
	decoded = withoutNegativeZero(decoded)
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(decoded)
	return cty.StringVal(strings.TrimSuffix(text.String(), "\n")), err
})

// withoutNegativeZero has 0 for -0, as JavaScript writes it.
func withoutNegativeZero(value any) any {
	switch value := value.(type) {
	case float64:
		return value + 0
	case []any:
		for i := range value {
			value[i] = withoutNegativeZero(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = withoutNegativeZero(value[key])
		}
	}
	return value
}

var something = function.Parameter{Name: "value", Type: cty.DynamicPseudoType}

var same = typed(anything, func(value cty.Value) (cty.Value, error) { return value, nil })

var toBase64 = typed(function.Parameter{Name: "value", Type: cty.String}, func(value cty.Value) (cty.Value, error) {
	return cty.StringVal(base64.StdEncoding.EncodeToString([]byte(value.AsString()))), nil
})

var length = typed(something, func(value cty.Value) (cty.Value, error) {
	switch {
	case value.Type() == cty.String:
		return stdlib.Strlen(value)
	case value.Type().IsObjectType():
		return cty.NumberIntVal(int64(len(value.Type().AttributeTypes()))), nil
	}
	return stdlib.Length(value)
})

var entries = typed(something, func(value cty.Value) (cty.Value, error) {
	if !value.CanIterateElements() {
		return cty.NilVal, errors.New("entries needs a list or a map")
	}
	rows := []cty.Value{}
	for it := value.ElementIterator(); it.Next(); {
		key, element := it.Element()
		rows = append(rows, cty.ObjectVal(map[string]cty.Value{"key": key, "value": element}))
	}
	if strictly && len(rows) == 0 {
		rows = append(rows, cty.ObjectVal(map[string]cty.Value{"key": cty.UnknownVal(cty.String), "value": cty.DynamicVal}))
	}
	return cty.TupleVal(rows), nil
})

var singleOrNone = typed(something, func(value cty.Value) (cty.Value, error) {
	if !value.Type().IsTupleType() && !value.Type().IsListType() {
		return cty.NilVal, errors.New("singleOrNone needs a list")
	}
	switch elements := value.AsValueSlice(); len(elements) {
	case 0:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case 1:
		return elements[0], nil
	}
	return cty.NilVal, errors.New("singleOrNone: more than one element")
})

// element is cty's, in PCL for an index of 32 bits; a language may take more.
var element = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}, {Name: "index", Type: cty.Number}},
	Type:   typeOf(elementOf),
	Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return elementOf(args) },
})

// elementOrNothing is null for an empty list, as in TypeScript.
var elementOrNothing = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}, {Name: "index", Type: cty.Number}},
	Type:   typeOf(elementOrNull),
	Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return elementOrNull(args) },
})

func elementOrNull(args []cty.Value) (cty.Value, error) {
	isList := args[0].Type().IsTupleType() || args[0].Type().IsListType()
	if isList && args[0].LengthInt() == 0 {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	return elementOf(args)
}

// typeOf is the type of a result, which is not known before the arguments are.
func typeOf(run func([]cty.Value) (cty.Value, error)) function.TypeFunc {
	return func(args []cty.Value) (cty.Type, error) {
		for _, arg := range args {
			if !arg.IsKnown() {
				return cty.DynamicPseudoType, nil
			}
		}
		value, err := run(args)
		return value.Type(), err
	}
}

func elementOf(args []cty.Value) (cty.Value, error) {
	size, _ := args[1].AsBigFloat().Float64()
	if rows && !lenient && math.Abs(size) > math.MaxInt32 {
		return cty.NilVal, errors.New("an index of more than 32 bits")
	}
	if lenient && math.Abs(size) > math.MaxInt32 && args[0].CanIterateElements() && args[0].LengthInt() > 0 {
		args = []cty.Value{args[0], cty.NumberFloatVal(math.Mod(size, float64(args[0].LengthInt())))}
	}
	return stdlib.Element(args[0], args[1])
}

// lookup is cty's, with a default that need not be there.
var lookup = function.New(&function.Spec{
	Params:   []function.Parameter{something, {Name: "key", Type: cty.String}},
	VarParam: &anything,
	Type:     typeOf(lookedUp),
	Impl:     func(args []cty.Value, _ cty.Type) (cty.Value, error) { return lookedUp(args) },
})

func lookedUp(args []cty.Value) (cty.Value, error) {
	if !args[0].Type().IsObjectType() && !args[0].Type().IsMapType() || len(args) > 3 {
		return cty.NilVal, errors.New("lookup needs a map, a key and perhaps a default")
	}
	otherwise, err := cty.NilVal, errors.New("lookup: no such key")
	if len(args) == 3 {
		otherwise, err = args[2], nil
	}
	if len(args) == 3 && args[0].Type().IsMapType() { // a default of another type is a mistake, also where it is not used
		if otherwise, err = convert.Convert(otherwise, args[0].Type().ElementType()); err != nil {
			return cty.NilVal, err
		}
	}
	if member, ok := args[0].AsValueMap()[args[1].AsString()]; ok {
		return member, nil
	}
	return otherwise, err
}

// rangeFunction counts whole numbers from the first argument (0 when there is one argument) up to the last, without it.
var rangeFunction = function.New(&function.Spec{
	Params:   []function.Parameter{{Name: "fromOrTo", Type: cty.Number}},
	VarParam: &function.Parameter{Name: "to", Type: cty.Number},
	Type:     function.StaticReturnType(cty.List(cty.Number)),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		bounds := []int64{0, 0}
		for i, arg := range args {
			if i > 1 {
				return cty.NilVal, errors.New("range takes two arguments at most")
			}
			if err := gocty.FromCtyValue(arg, &bounds[i]); err != nil {
				return cty.NilVal, err
			}
		}
		if len(args) == 1 {
			bounds[0], bounds[1] = 0, bounds[0]
		}
		if bounds[1]-bounds[0] > 100_000 {
			return cty.NilVal, errors.New("a range of more than 100,000 numbers")
		}
		numbers := []cty.Value{}
		for i := bounds[0]; i < bounds[1]; i++ {
			numbers = append(numbers, cty.NumberIntVal(i))
		}
		if len(numbers) == 0 {
			return cty.ListValEmpty(cty.Number), nil
		}
		return cty.ListVal(numbers), nil
	},
})
