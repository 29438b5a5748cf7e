package main

import (
	"errors"
	"math"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// The rows of the table in docs/language.md ("Differences from HCL"): expressions that PCL evaluates in another way on purpose.
// Each stands in the place of HCL's node and has its other methods from there.

type (
	branches     struct{ *hclsyntax.ConditionalExpr }
	operation    struct{ *hclsyntax.BinaryOpExpr }
	strictLoop   struct{ *hclsyntax.ForExpr }
	strictIndex  struct{ *hclsyntax.IndexExpr }
	strictSplat  struct{ *hclsyntax.SplatExpr }
	untypedSplat struct{ *hclsyntax.SplatExpr }
	untypedPath  struct {
		hclsyntax.Expression
		source hclsyntax.Expression
		steps  hcl.Traversal
	}
	lazyLoop  struct{ *hclsyntax.ForExpr }
	mapLookup struct{ *hclsyntax.FunctionCallExpr }
)

// withRows puts PCL's expressions in the place of HCL's. In a strict program a part that cannot be evaluated fails it also where
// it is not evaluated: a branch that is not taken, the body of a loop over nothing.
func withRows(expression hclsyntax.Expression, strict bool) hclsyntax.Expression {
	inner := func(part *hclsyntax.Expression) {
		if *part != nil {
			*part = withRows(*part, strict)
		}
	}
	all := func(parts []hclsyntax.Expression) {
		for i := range parts {
			inner(&parts[i])
		}
	}
	switch e := expression.(type) {
	case *hclsyntax.TemplateExpr:
		all(e.Parts)
	case *hclsyntax.TemplateWrapExpr:
		inner(&e.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		inner(&e.Tuple)
	case *hclsyntax.ParenthesesExpr:
		inner(&e.Expression)
	case *hclsyntax.FunctionCallExpr:
		all(e.Args)
		if e.Name == "lookup" && len(e.Args) == 3 {
			return &mapLookup{e}
		}
	case *hclsyntax.IndexExpr:
		inner(&e.Collection)
		inner(&e.Key)
		if strict {
			return &strictIndex{e}
		}
	case *hclsyntax.TupleConsExpr:
		all(e.Exprs)
	case *hclsyntax.ObjectConsExpr:
		for i := range e.Items {
			inner(&e.Items[i].KeyExpr)
			inner(&e.Items[i].ValueExpr)
		}
	case *hclsyntax.ObjectConsKeyExpr:
		inner(&e.Wrapped)
	case *hclsyntax.SplatExpr:
		inner(&e.Source)
		inner(&e.Each)
		if untyped {
			return &untypedSplat{e}
		}
		if strict {
			return &strictSplat{e}
		}
	case *hclsyntax.ScopeTraversalExpr:
		if untyped && len(e.Traversal) > 1 {
			root := &hclsyntax.ScopeTraversalExpr{Traversal: e.Traversal[:1], SrcRange: e.SrcRange}
			return &untypedPath{e, root, e.Traversal[1:]}
		}
	case *hclsyntax.RelativeTraversalExpr:
		inner(&e.Source)
		if untyped {
			return &untypedPath{e, e.Source, e.Traversal}
		}
	case *hclsyntax.UnaryOpExpr:
		inner(&e.Val)
	case *hclsyntax.BinaryOpExpr:
		inner(&e.LHS)
		inner(&e.RHS)
		return &operation{e}
	case *hclsyntax.ConditionalExpr:
		inner(&e.Condition)
		inner(&e.TrueResult)
		inner(&e.FalseResult)
		return &branches{e}
	case *hclsyntax.ForExpr:
		inner(&e.CollExpr)
		inner(&e.KeyExpr)
		inner(&e.ValExpr)
		inner(&e.CondExpr)
		if strict {
			return &strictLoop{e}
		}
		return &lazyLoop{e}
	}
	return expression
}

func failed(expression hcl.Expression, message string) hcl.Diagnostics {
	subject := expression.Range()
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "PCL", Detail: message, Subject: &subject}}
}

func decide(expression hcl.Expression, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	value, diagnostics := expression.Value(ctx)
	if diagnostics.HasErrors() {
		return value, diagnostics
	}
	decided, err := convert.Convert(value, cty.Bool)
	if err == nil && decided.IsNull() {
		err = errors.New("a condition is null")
	}
	if err != nil {
		return value, failed(expression, err.Error())
	}
	return decided, nil
}

// Value is that of the branch, which stays what it is but for texts that it meets in the other.
func (e *branches) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	condition, diagnostics := decide(e.Condition, ctx)
	if diagnostics.HasErrors() {
		return cty.DynamicVal, diagnostics
	}
	taken, diagnostics := e.TrueResult.Value(ctx)
	other, otherDiagnostics := e.FalseResult.Value(ctx)
	if strictly && (diagnostics.HasErrors() || otherDiagnostics.HasErrors()) {
		return cty.DynamicVal, append(diagnostics, otherDiagnostics...)
	}
	if !condition.IsKnown() {
		return cty.DynamicVal, nil
	}
	if condition.False() {
		taken, diagnostics, other = other, otherDiagnostics, taken
	}
	if diagnostics.HasErrors() {
		return cty.DynamicVal, diagnostics
	}
	if untyped {
		return taken, nil
	}
	if isMap(e.TrueResult) || isMap(e.FalseResult) {
		return alike(taken, []cty.Type{cty.Map(common(append(leaves(ctx, e.TrueResult), leaves(ctx, e.FalseResult)...)...))}), nil
	}
	return alike(taken, []cty.Type{other.Type()}), nil
}

// isMap tells whether an expression makes what PCL calls a map, and HCL an object.
func isMap(expression hclsyntax.Expression) bool {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return isMap(e.Expression)
	case *hclsyntax.ForExpr:
		return e.KeyExpr != nil
	case *strictLoop:
		return e.KeyExpr != nil
	case *lazyLoop:
		return e.KeyExpr != nil
	}
	return false
}

// leaves are the values of an expression, with those that a conditional does not take.
func leaves(ctx *hcl.EvalContext, expression hclsyntax.Expression) []cty.Value {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return leaves(ctx, e.Expression)
	case *branches:
		return append(leaves(ctx, e.TrueResult), leaves(ctx, e.FalseResult)...)
	}
	value, _ := expression.Value(ctx)
	return []cty.Value{value}
}

// common is text when a member of the objects is.
func common(objects ...cty.Value) cty.Type {
	for _, object := range objects {
		if kind := object.Type(); kind.IsObjectType() {
			for _, member := range kind.AttributeTypes() {
				if member == cty.String {
					return cty.String
				}
			}
		}
	}
	return cty.DynamicPseudoType
}

// Value has the members that all elements have: which one the index finds is not known before the program runs.
func (e *strictIndex) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	found, diagnostics := e.IndexExpr.Value(ctx)
	elements, _ := e.Collection.Value(ctx)
	if diagnostics.HasErrors() || !found.IsKnown() || found.IsNull() || !found.Type().IsObjectType() || !elements.Type().IsTupleType() {
		return found, diagnostics
	}
	members := found.AsValueMap()
	for name := range members {
		for _, kind := range elements.Type().TupleElementTypes() {
			if kind.IsObjectType() && !kind.HasAttribute(name) {
				delete(members, name)
			}
		}
	}
	return cty.ObjectVal(members), nil
}

// Value fails over null: nothing is in it.
func (e *strictSplat) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if source, diagnostics := e.Source.Value(ctx); !diagnostics.HasErrors() && source.IsNull() {
		return cty.DynamicVal, failed(e, "null has no attributes")
	}
	return e.SplatExpr.Value(ctx)
}

// Value has no element of a list for a text.
func (e *untypedPath) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	value, diagnostics := e.source.Value(ctx)
	for _, step := range e.steps {
		if diagnostics.HasErrors() {
			return cty.DynamicVal, diagnostics
		}
		index, isIndex := step.(hcl.TraverseIndex)
		isList := value.Type().IsTupleType() || value.Type().IsListType()
		if !indexed && isIndex && isList && index.Key.Type() == cty.String {
			return cty.DynamicVal, failed(e, "a text is no index")
		}
		value, diagnostics = step.TraversalStep(value)
	}
	return value, diagnostics
}

// Value visits the elements of a list and the members of a map.
func (e *untypedSplat) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	source, diagnostics := e.Source.Value(ctx)
	if diagnostics.HasErrors() {
		return source, diagnostics
	}
	if source.IsNull() || !source.CanIterateElements() {
		return cty.DynamicVal, failed(e, "neither a list nor a map")
	}
	elements := []cty.Value{}
	for it := source.ElementIterator(); it.Next(); {
		_, element := it.Element()
		elements = append(elements, element)
	}
	all := *e.SplatExpr
	all.Source = &hclsyntax.LiteralValueExpr{Val: cty.TupleVal(elements), SrcRange: e.Source.Range()}
	return all.Value(ctx)
}

// Value converts the default to the type of the elements of a map that a loop makes; one that does not fit fails whether or not it
// is used.
func (e *mapLookup) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	loop, isLoop := e.Args[0].(*hclsyntax.ForExpr)
	switch made := e.Args[0].(type) {
	case *strictLoop:
		loop, isLoop = made.ForExpr, true
	case *lazyLoop:
		loop, isLoop = made.ForExpr, true
	}
	if isLoop && loop.KeyExpr != nil {
		inner := ctx.NewChild()
		inner.Variables = map[string]cty.Value{loop.ValVar: cty.DynamicVal, loop.KeyVar: keyOf(ctx, loop.CollExpr)}
		element, _ := loop.ValExpr.Value(inner)
		otherwise, diagnostics := e.Args[2].Value(ctx)
		isList := otherwise.Type().IsTupleType() || otherwise.Type().IsListType()
		if !diagnostics.HasErrors() && !otherwise.IsNull() && loop.Group && !isList {
			return cty.DynamicVal, failed(e, "the default is no list")
		}
		candidates := []cty.Value{otherwise}
		isList = isList && !otherwise.IsNull()
		if loop.Group && isList {
			candidates = otherwise.AsValueSlice()
		}
		for i, candidate := range candidates {
			fitting, err := conformed(candidate, element.Type())
			if err != nil {
				return cty.DynamicVal, failed(e, err.Error())
			}
			candidates[i] = fitting
			if loop.Group && candidate.IsNull() && element.Type() != cty.DynamicPseudoType {
				return cty.DynamicVal, failed(e, "an element of the default is null")
			}
		}
		if !diagnostics.HasErrors() && !untyped {
			return e.withDefault(candidates, loop.Group && isList).Value(ctx)
		}
	}
	return e.FunctionCallExpr.Value(ctx)
}

// withDefault is the call with another default: the list of the candidates, or the only one.
func (e *mapLookup) withDefault(candidates []cty.Value, isList bool) *hclsyntax.FunctionCallExpr {
	value := candidates[0]
	if isList {
		value = cty.TupleVal(candidates)
	}
	call := *e.FunctionCallExpr
	call.Args = []hclsyntax.Expression{e.Args[0], e.Args[1], &hclsyntax.LiteralValueExpr{Val: value, SrcRange: e.Args[2].Range()}}
	return &call
}

// keyOf is the unknown key of a loop: a text over an object or a map, a number over a list.
func keyOf(ctx *hcl.EvalContext, collection hclsyntax.Expression) cty.Value {
	value, _ := collection.Value(ctx)
	switch kind := value.Type(); {
	case kind.IsObjectType() || kind.IsMapType():
		return cty.UnknownVal(cty.String)
	case kind.IsTupleType() || kind.IsListType():
		return cty.UnknownVal(cty.Number)
	}
	return cty.DynamicVal
}

// alike gives scalars in a value the type of the texts that may stand in their place.
func alike(value cty.Value, others []cty.Type) cty.Value {
	if value.IsNull() || !value.IsKnown() {
		return value
	}
	mine := value.Type()
	switch {
	case mine.IsPrimitiveType():
		for _, other := range others {
			if other == cty.String {
				text, _ := convert.Convert(value, cty.String)
				return text
			}
		}
	case mine.IsTupleType() || mine.IsListType():
		elements := value.AsValueSlice()
		for i := range elements {
			elements[i] = alike(elements[i], elementTypes(mine, others, i, len(elements)))
		}
		return cty.TupleVal(elements)
	case mine.IsObjectType() || mine.IsMapType():
		members := value.AsValueMap()
		for name := range members {
			members[name] = alike(members[name], memberTypes(others, name))
		}
		return cty.ObjectVal(members)
	}
	return value
}

// elementTypes are the types in the place of element i; lists of different lengths have one type for all elements.
func elementTypes(mine cty.Type, others []cty.Type, i, length int) []cty.Type {
	var found []cty.Type
	for _, other := range others {
		switch {
		case other.IsListType():
			found = append(found, other.ElementType())
		case other.IsTupleType() && mine.IsTupleType() && other.Length() == length:
			found = append(found, other.TupleElementType(i))
		case other.IsTupleType():
			found = append(found, other.TupleElementTypes()...)
			if mine.IsTupleType() {
				found = append(found, mine.TupleElementTypes()...)
			}
		}
	}
	return found
}

func memberTypes(others []cty.Type, name string) []cty.Type {
	var found []cty.Type
	for _, other := range others {
		if other.IsObjectType() && other.HasAttribute(name) {
			found = append(found, other.AttributeType(name))
		} else if other.IsMapType() {
			found = append(found, other.ElementType())
		}
	}
	return found
}

// Value is computed in doubles; `&&` and `||` need the right side only when the left one does not decide; lists and maps are
// equal when their elements are.
func (e *operation) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	switch e.Op {
	case hclsyntax.OpLogicalAnd, hclsyntax.OpLogicalOr:
		left, diagnostics := decide(e.LHS, ctx)
		if diagnostics.HasErrors() || left.IsKnown() && left.True() == (e.Op == hclsyntax.OpLogicalOr) && !strictly {
			return left, diagnostics
		}
		right, diagnostics := decide(e.RHS, ctx)
		if diagnostics.HasErrors() && !left.IsKnown() && !strictly {
			return cty.UnknownVal(cty.Bool), nil // HCL tries the condition of a loop before it has an element
		}
		if strictly && left.IsKnown() && left.True() == (e.Op == hclsyntax.OpLogicalOr) {
			return left, diagnostics
		}
		return right, diagnostics
	case hclsyntax.OpEqual, hclsyntax.OpNotEqual:
		left, diagnostics := e.LHS.Value(ctx)
		right, more := e.RHS.Value(ctx)
		if diagnostics = append(diagnostics, more...); diagnostics.HasErrors() {
			return cty.DynamicVal, diagnostics
		}
		if !left.IsWhollyKnown() || !right.IsWhollyKnown() {
			return cty.UnknownVal(cty.Bool), nil
		}
		same := plain(left).Equals(plain(right))
		return cty.BoolVal(same.True() == (e.Op == hclsyntax.OpEqual)), nil
	}
	value, diagnostics := e.BinaryOpExpr.Value(ctx)
	if diagnostics.HasErrors() || !value.IsKnown() || value.Type() != cty.Number {
		return value, diagnostics
	}
	if e.Op == hclsyntax.OpModulo || e.Op == hclsyntax.OpDivide {
		return e.divided(ctx)
	}
	double, _ := value.AsBigFloat().Float64()
	return cty.NumberFloatVal(double), nil
}

// divided fails for a divisor of zero; a remainder has the sign of the dividend.
func (e *operation) divided(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var numbers [2]float64
	for i, operand := range []hclsyntax.Expression{e.LHS, e.RHS} {
		value, _ := operand.Value(ctx)
		number, err := convert.Convert(value, cty.Number)
		if err != nil {
			return cty.DynamicVal, failed(e, err.Error())
		}
		numbers[i], _ = number.AsBigFloat().Float64()
	}
	if numbers[1] == 0 {
		return cty.DynamicVal, failed(e, "this divides by zero")
	}
	if e.Op == hclsyntax.OpDivide {
		return cty.NumberFloatVal(numbers[0] / numbers[1]), nil
	}
	return cty.NumberFloatVal(math.Mod(numbers[0], numbers[1])), nil
}

// plain has tuples and objects only.
func plain(value cty.Value) cty.Value {
	switch mine := value.Type(); {
	case value.IsNull():
		return cty.NullVal(cty.DynamicPseudoType)
	case mine.IsTupleType() || mine.IsListType() || mine.IsSetType():
		elements := value.AsValueSlice()
		for i := range elements {
			elements[i] = plain(elements[i])
		}
		return cty.TupleVal(elements)
	case mine.IsObjectType() || mine.IsMapType():
		members := value.AsValueMap()
		for name := range members {
			members[name] = plain(members[name])
		}
		return cty.ObjectVal(members)
	}
	return value
}

// Value is empty over nothing: the condition is evaluated for elements only.
func (e *lazyLoop) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	source, diagnostics := e.CollExpr.Value(ctx)
	isEmpty := !diagnostics.HasErrors() && source.IsKnown() && !source.IsNull() && source.CanIterateElements() && source.LengthInt() == 0
	if isEmpty && e.KeyExpr != nil {
		return cty.EmptyObjectVal, nil
	}
	if isEmpty {
		return cty.EmptyTupleVal, nil
	}
	return e.ForExpr.Value(ctx)
}

// Value evaluates the body with an unknown element, too, whether or not there are elements.
func (e *strictLoop) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	inner := ctx.NewChild()
	inner.Variables = map[string]cty.Value{e.ValVar: cty.DynamicVal}
	if e.KeyVar != "" {
		inner.Variables[e.KeyVar] = cty.DynamicVal
	}
	for _, part := range []hclsyntax.Expression{e.KeyExpr, e.ValExpr, e.CondExpr} {
		if part != nil {
			if _, diagnostics := part.Value(inner); diagnostics.HasErrors() {
				return cty.DynamicVal, diagnostics
			}
		}
	}
	all := *e.ForExpr
	all.CondExpr = nil
	if _, diagnostics := all.Value(ctx); diagnostics.HasErrors() {
		return cty.DynamicVal, diagnostics
	}
	made, diagnostics := e.ForExpr.Value(ctx)
	if !diagnostics.HasErrors() && made.IsKnown() && made.Type().IsTupleType() && made.LengthInt() == 0 {
		one, _ := e.ValExpr.Value(inner)
		return cty.TupleVal([]cty.Value{one}), nil
	}
	return made, diagnostics
}
