package main

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// pastPath is a path in TypeScript (docs/targets.md, Steps): an element past the end of a list is nothing, and so is a member that
// a value does not have; a step into nothing fails.
type pastPath struct {
	hclsyntax.Expression
	source hclsyntax.Expression
	steps  hcl.Traversal
}

func (e *pastPath) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	value, diagnostics := e.source.Value(ctx)
	for _, step := range e.steps {
		if diagnostics.HasErrors() {
			return cty.DynamicVal, diagnostics
		}
		if isPast(value, step) {
			value = cty.NullVal(cty.DynamicPseudoType)
			continue
		}
		if index, isIndex := step.(hcl.TraverseIndex); isIndex && untyped && isTextIndex(value, index.Key) {
			return cty.DynamicVal, failed(e, "a text is no index")
		}
		value, diagnostics = step.TraversalStep(value)
	}
	return value, diagnostics
}

func isPast(value cty.Value, step hcl.Traverser) bool {
	if member, isMember := step.(hcl.TraverseAttr); isMember && value.IsKnown() && !value.IsNull() {
		kind := value.Type()
		isMap := kind.IsMapType() && value.HasIndex(cty.StringVal(member.Name)).True()
		return !isMap && !(kind.IsObjectType() && kind.HasAttribute(member.Name))
	}
	index, isIndex := step.(hcl.TraverseIndex)
	isList := value.Type().IsTupleType() || value.Type().IsListType()
	if !isIndex || !isList || value.IsNull() || !value.IsKnown() {
		return false
	}
	key, err := convert.Convert(index.Key, cty.Number) // a text may be an index
	return err == nil && key.GreaterThanOrEqualTo(cty.NumberIntVal(int64(value.LengthInt()))).True()
}

// pastIndex is an element of an output, as SDKs lift it: one past the end is nothing.
type pastIndex struct{ *hclsyntax.IndexExpr }

func (e *pastIndex) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	collection, diagnostics := e.Collection.Value(ctx)
	key, more := e.Key.Value(ctx)
	if !diagnostics.HasErrors() && !more.HasErrors() && key.Type() == cty.Number && isPast(collection, hcl.TraverseIndex{Key: key}) {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	return e.IndexExpr.Value(ctx)
}
