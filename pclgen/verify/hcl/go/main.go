// Judge evaluates PCL programs with HashiCorp's HCL and cty: locals, defaults of configuration and outputs, and no resources.
//
// It reads a JSON list of program texts from standard input and writes a JSON list of results: {"values": {output: value}}, or
// {"failure": message} for a program that does not parse or has an item that fails.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type result struct {
	Values  map[string]json.RawMessage `json:"values,omitempty"`
	Failure string                     `json:"failure,omitempty"`
}

// item is a named expression, and the label of the type that its value is converted to.
type item struct {
	expression hcl.Expression
	uses       []hcl.Traversal // found before PCL's expressions stand in the place of HCL's
	label      string
	local      bool
	value      *cty.Value
	started    bool
}

type program map[string]*item

// rows: the differences of PCL apply. strictly: parts that are not evaluated count, too. untyped: nothing is converted because of
// its type, as types are not known. indexed: a text is an index of a list even then. used: a local that nothing uses, or only an argument of
// `try` that is skipped, is not evaluated. collections: lists and maps meet in a conditional, not tuples and objects. past: an element past the end of a list is null, and so is a
// member that a value does not have. misfits: `try` skips null, but nothing that does not fit. nulls: it does not skip
// null either, as its type is not known. lenient: an index of `element` may have more than 32 bits,
// and a default of `lookup` that is not needed is not evaluated. vague: the type of a branch is what is known of it before the
// program runs. lifted: with past, a computed index past the end is null, too. absent: a null of the configuration is no member.
var rows, strictly, untyped, indexed, used, collections, past, misfits, nulls, lenient, vague, lifted, absent, pastInLoops bool

func main() {
	flag.BoolVar(&rows, "rows", false, "apply the rows in which PCL differs on purpose")
	flag.BoolVar(&strictly, "strict", false, "fail where a part would fail that is not evaluated")
	flag.BoolVar(&untyped, "untyped", false, "convert nothing because of its type")
	flag.BoolVar(&indexed, "indexed", false, "take texts as indexes of lists")
	flag.BoolVar(&used, "used", false, "evaluate only locals that something uses")
	flag.BoolVar(&collections, "collections", false, "take tuples and objects in conditionals for lists and maps")
	flag.BoolVar(&past, "past", false, "take null for an element past the end of a list")
	flag.BoolVar(&misfits, "misfits", false, "do not skip arguments of try that do not fit")
	flag.BoolVar(&nulls, "nulls", false, "do not skip arguments of try that are null")
	flag.BoolVar(&lenient, "lenient", false, "take an index of more than 32 bits, and a default that fails where it is not needed")
	flag.BoolVar(&vague, "vague", false, "convert branches by what is known of the other one before the program runs")
	flag.BoolVar(&lifted, "lifted", false, "take null for an element that a computed index does not find, too")
	flag.BoolVar(&absent, "absent", false, "leave out members of the configuration that are null")
	flag.Parse()
	pastInLoops = past
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	results := make([]result, len(texts))
	for i, text := range texts {
		values, err := evaluate(text)
		if err != nil {
			results[i] = result{Failure: err.Error()}
			continue
		}
		results[i] = result{Values: values}
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func evaluate(text string) (values map[string]json.RawMessage, err error) {
	defer func() {
		if cause := recover(); cause != nil { // cty panics where HCL should have asked first
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	file, diagnostics := hclsyntax.ParseConfig([]byte(text), "main.pp", hcl.InitialPos)
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	body := file.Body.(*hclsyntax.Body)
	items, outputs := program{}, program{}
	for name, attribute := range body.Attributes {
		items[name] = &item{local: true}
		items[name].read(attribute)
	}
	for _, block := range body.Blocks {
		declared := &item{}
		if len(block.Labels) > 1 {
			declared.label = block.Labels[1]
		}
		for _, key := range []string{"value", "default"} {
			if attribute, ok := block.Body.Attributes[key]; ok {
				declared.read(attribute)
			}
		}
		if block.Type == "output" {
			outputs[block.Labels[0]] = declared
		} else {
			items[block.Labels[0]] = declared
		}
	}
	for name, declared := range items { // an item that nothing uses is evaluated, too
		if used && declared.local {
			continue
		}
		if _, err := items.valueOf(name, declared); err != nil {
			return nil, err
		}
	}
	values = map[string]json.RawMessage{}
	for name, output := range outputs {
		value, err := items.valueOf(name, output)
		if err != nil {
			return nil, err
		}
		if values[name], err = ctyjson.Marshal(value, value.Type()); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (declared *item) read(attribute *hclsyntax.Attribute) {
	declared.expression, declared.uses = attribute.Expr, attribute.Expr.Variables()
	if rows {
		declared.expression = withRows(attribute.Expr, strictly)
	}
}

// valueOf evaluates an item, and the items that it needs first. With used, a local that fails is an unknown name, so that `try`
// skips what reads it: a language may omit it, and the argument.
func (items program) valueOf(name string, it *item) (cty.Value, error) {
	if it.value != nil {
		return *it.value, nil
	}
	if it.started {
		return cty.NilVal, fmt.Errorf("%s needs itself", name)
	}
	it.started = true
	variables := map[string]cty.Value{}
	for _, traversal := range it.uses {
		if source, ok := items[traversal.RootName()]; ok {
			value, err := items.valueOf(traversal.RootName(), source)
			if err != nil && used && source.local {
				continue
			}
			if err != nil {
				return cty.NilVal, err
			}
			variables[traversal.RootName()] = value
		}
	}
	value, diagnostics := it.expression.Value(&hcl.EvalContext{Variables: variables, Functions: functions})
	if diagnostics.HasErrors() {
		return cty.NilVal, diagnostics
	}
	if it.label != "" {
		var err error
		if value, err = converted(value, it.label); err != nil {
			return cty.NilVal, err
		}
	}
	it.value = &value
	return value, nil
}
