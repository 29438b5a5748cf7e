package main

import (
	"errors"
	"math"
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
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
	untypedIndex struct{ *hclsyntax.IndexExpr }
	strictPath   struct {
		hclsyntax.Expression
		steps hcl.Traversal
	}
	untypedPath struct {
		hclsyntax.Expression
		source hclsyntax.Expression
		steps  hcl.Traversal
	}
	lazyLoop  struct{ *hclsyntax.ForExpr }
	mapLookup struct{ *hclsyntax.FunctionCallExpr }
	negation  struct{ *hclsyntax.UnaryOpExpr }
	// skipping is a call of `try` where null is not wanted.
	skipping struct {
		*hclsyntax.FunctionCallExpr
		wanted cty.Type
	}
)

// visiting has the collections of the loops around an expression, by the variable of their elements, and visitedBy those of the
// expressions that begin with such a variable.
var (
	visiting  = map[string]hclsyntax.Expression{}
	visitedBy = map[*hclsyntax.ScopeTraversalExpr]hclsyntax.Expression{}
)

// withRows puts PCL's expressions in the place of HCL's. In a strict program a part that cannot be evaluated fails it also where
// it is not evaluated: a branch that is not taken, the body of a loop over nothing.
func withRows(expression hclsyntax.Expression, strict bool) hclsyntax.Expression {
	inner := func(part *hclsyntax.Expression) {
		if *part != nil {
			*part = withRows(*part, strict)
		}
	}
	present := func(part *hclsyntax.Expression, wanted cty.Type) {
		if inner(part); *part != nil {
			*part = skippingNull(*part, wanted)
		}
	}
	all := func(parts []hclsyntax.Expression) {
		for i := range parts {
			inner(&parts[i])
		}
	}
	switch e := expression.(type) {
	case *hclsyntax.TemplateExpr:
		for i := range e.Parts {
			present(&e.Parts[i], cty.String)
		}
	case *hclsyntax.TemplateWrapExpr:
		inner(&e.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		inner(&e.Tuple)
	case *hclsyntax.ParenthesesExpr:
		inner(&e.Expression)
	case *hclsyntax.FunctionCallExpr:
		if past && (e.Name == "try" || e.Name == "can") {
			past = false // an argument of these that is nothing has failed
			defer func() { past = true }()
		}
		for i := range e.Args {
			if wanted, ok := parameterOf(e.Name, i); ok {
				present(&e.Args[i], wanted)
			} else {
				inner(&e.Args[i])
			}
		}
		if past && e.Name == "element" {
			e.Name = "elementOrNothing"
		}
		if e.Name == "lookup" && len(e.Args) == 3 {
			return &mapLookup{e}
		}
	case *hclsyntax.IndexExpr:
		present(&e.Collection, cty.DynamicPseudoType)
		present(&e.Key, cty.DynamicPseudoType)
		if past && lifted {
			return &pastIndex{e}
		}
		if untyped {
			return &untypedIndex{e}
		}
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
		inBody(&e.Each, inner)
		if untyped {
			return &untypedSplat{e}
		}
		if strict {
			return &strictSplat{e}
		}
	case *hclsyntax.ScopeTraversalExpr:
		if collection, ok := visiting[e.Traversal.RootName()]; ok {
			visitedBy[e] = collection
		}
		if len(e.Traversal) == 1 {
			return e
		}
		root := &hclsyntax.ScopeTraversalExpr{Traversal: e.Traversal[:1], SrcRange: e.SrcRange}
		if past {
			return &pastPath{e, root, e.Traversal[1:]}
		}
		if untyped {
			return &untypedPath{e, root, e.Traversal[1:]}
		}
		if strict {
			return &strictPath{e, e.Traversal}
		}
	case *hclsyntax.RelativeTraversalExpr:
		present(&e.Source, cty.DynamicPseudoType)
		if past {
			return &pastPath{e, e.Source, e.Traversal}
		}
		if untyped {
			return &untypedPath{e, e.Source, e.Traversal}
		}
		if strict {
			return &strictPath{e, e.Traversal}
		}
	case *hclsyntax.UnaryOpExpr:
		present(&e.Val, e.Op.Impl.Params()[0].Type)
		if e.Op == hclsyntax.OpNegate {
			return &negation{e}
		}
	case *hclsyntax.BinaryOpExpr:
		if e.Op == hclsyntax.OpEqual || e.Op == hclsyntax.OpNotEqual {
			inner(&e.LHS)
			inner(&e.RHS)
			return &operation{e}
		}
		present(&e.LHS, e.Op.Impl.Params()[0].Type)
		present(&e.RHS, e.Op.Impl.Params()[1].Type)
		return &operation{e}
	case *hclsyntax.ConditionalExpr:
		present(&e.Condition, cty.Bool)
		inner(&e.TrueResult)
		inner(&e.FalseResult)
		return &branches{e}
	case *hclsyntax.ForExpr:
		present(&e.CollExpr, cty.DynamicPseudoType)
		hidden, hides := visiting[e.ValVar]
		visiting[e.ValVar] = e.CollExpr
		present(&e.KeyExpr, cty.String)
		inBody(&e.ValExpr, inner)
		present(&e.CondExpr, cty.Bool)
		if delete(visiting, e.ValVar); hides {
			visiting[e.ValVar] = hidden
		}
		if strict {
			return &strictLoop{e}
		}
		return &lazyLoop{e}
	}
	return expression
}

// inBody changes the body of a loop. Nothing is an element of its list, where it has not failed.
func inBody(body *hclsyntax.Expression, change func(*hclsyntax.Expression)) {
	before := past
	past = pastInLoops
	change(body)
	past = before
}

// skippingNull has calls of `try` skip null and what does not fit.
func skippingNull(expression hclsyntax.Expression, wanted cty.Type) hclsyntax.Expression {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		e.Expression = skippingNull(e.Expression, wanted)
	case *hclsyntax.TemplateWrapExpr:
		e.Wrapped = skippingNull(e.Wrapped, wanted)
	case *branches:
		e.TrueResult = skippingNull(e.TrueResult, wanted)
		e.FalseResult = skippingNull(e.FalseResult, wanted)
	case *hclsyntax.FunctionCallExpr:
		if e.Name == "try" {
			return &skipping{e, wanted}
		}
	}
	return expression
}

// parameterOf is the type of an argument that must not be null.
func parameterOf(name string, index int) (cty.Type, bool) {
	called, ok := functions[name]
	if !ok || name == "try" || name == "can" {
		return cty.NilType, false
	}
	var parameter *function.Parameter
	if parameters := called.Params(); index < len(parameters) {
		parameter = &parameters[index]
	} else {
		parameter = called.VarParam()
	}
	if parameter == nil || parameter.AllowNull {
		return cty.NilType, false
	}
	return parameter.Type, true
}

// Value is that of the first argument that is there and fits. A last one that never fits is a mistake.
func (e *skipping) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if strictly && len(e.Args) > 0 {
		last, diagnostics := e.Args[len(e.Args)-1].Value(ctx)
		if _, err := convert.Convert(last, e.wanted); err != nil && !diagnostics.HasErrors() {
			return cty.DynamicVal, failed(e, err.Error())
		}
	}
	if strictly || nulls {
		return e.FunctionCallExpr.Value(ctx)
	}
	for _, arg := range e.Args {
		value, diagnostics := arg.Value(ctx)
		if diagnostics.HasErrors() || value.IsNull() {
			continue
		}
		if !value.IsWhollyKnown() {
			return cty.DynamicVal, nil
		}
		if _, err := convert.Convert(value, e.wanted); err == nil || misfits {
			return value, nil
		}
	}
	return cty.DynamicVal, failed(e, "no argument is there and fits")
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
	oneFails := diagnostics.HasErrors() || otherDiagnostics.HasErrors()
	if condition.False() {
		taken, diagnostics, other = other, otherDiagnostics, taken
	}
	if diagnostics.HasErrors() {
		return cty.DynamicVal, diagnostics
	}
	if untyped {
		return taken, nil
	}
	if strictly && taken.IsNull() && other.Type().IsPrimitiveType() {
		return cty.NullVal(other.Type()), nil // it has the type of the other branch
	}
	chosen, otherwise := e.TrueResult, e.FalseResult
	if condition.False() {
		chosen, otherwise = otherwise, chosen
	}
	if collections && oneFails { // what fails has a type nevertheless
		if taken.Type().IsPrimitiveType() {
			return alike(taken, []cty.Type{cty.String}), nil
		}
		return alike(taken, append(typesOf(ctx, otherwise), cty.String)), nil
	}
	if isMap(e.TrueResult) || isMap(e.FalseResult) {
		values := append(leaves(ctx, e.TrueResult), leaves(ctx, e.FalseResult)...)
		if collections { // all members have one type
			kinds := append(typesOfAll(values), bodyTypes(ctx, e.TrueResult)...)
			return alike(taken, append(kinds, bodyTypes(ctx, e.FalseResult)...)), nil
		}
		for _, kind := range append(bodyTypes(ctx, e.TrueResult), bodyTypes(ctx, e.FalseResult)...) {
			if kind.IsMapType() && kindOf(kind.ElementType()) != "" && !allScalars(partTypes(taken)) {
				return alike(taken, []cty.Type{kind}), nil // a member may be a list or an object, and so is no text
			}
		}
		return alike(taken, []cty.Type{cty.Map(common(values...))}), nil
	}
	if vague {
		return alikeAs(taken, vagueType(ctx, chosen), []cty.Type{vagueType(ctx, otherwise)}), nil
	}
	if collections {
		return alike(taken, append(typesOf(ctx, otherwise), bodyTypes(ctx, otherwise)...)), nil
	}
	return alike(taken, typesOf(ctx, otherwise)), nil
}

// bodyTypes are the types of the lists and maps that loops over nothing would make.
func bodyTypes(ctx *hcl.EvalContext, expression hclsyntax.Expression) []cty.Type {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return bodyTypes(ctx, e.Expression)
	case *branches:
		return append(bodyTypes(ctx, e.TrueResult), bodyTypes(ctx, e.FalseResult)...)
	case *lazyLoop:
		return []cty.Type{loopType(ctx, e.ForExpr)}
	case *strictLoop:
		return []cty.Type{loopType(ctx, e.ForExpr)}
	case *skipping:
		return bodyTypes(ctx, e.FunctionCallExpr)
	case *hclsyntax.FunctionCallExpr:
		if e.Name == "entries" && len(e.Args) == 1 {
			var kinds []cty.Type
			for _, kind := range bodyTypes(ctx, e.Args[0]) {
				kinds = append(kinds, cty.List(cty.Object(map[string]cty.Type{"key": cty.String, "value": kind.ElementType()})))
			}
			return kinds
		}
		if e.Name == "try" && collections {
			var kinds []cty.Type
			for _, arg := range e.Args {
				kinds = append(kinds, typesOf(ctx, arg)...)
			}
			return kinds
		}
	}
	return nil
}

// bodyType is the type of the body of a loop, and the context of the body with an unknown element.
func bodyType(ctx *hcl.EvalContext, e *hclsyntax.ForExpr) (cty.Type, *hcl.EvalContext) {
	inner := ctx.NewChild()
	inner.Variables = map[string]cty.Value{e.ValVar: visited(ctx, e.CollExpr), e.KeyVar: keyOf(ctx, e.CollExpr)}
	element, _ := e.ValExpr.Value(inner)
	if kind := element.Type(); kind != cty.DynamicPseudoType {
		return kind, inner
	}
	return resultOf(e.ValExpr), inner
}

// loopType is the type of the list or map that a loop makes, also over nothing.
func loopType(ctx *hcl.EvalContext, e *hclsyntax.ForExpr) cty.Type {
	kind, _ := bodyType(ctx, e)
	switch {
	case e.KeyExpr == nil:
		return cty.List(kind)
	case e.Group:
		return cty.Map(cty.List(kind))
	}
	return cty.Map(kind)
}

// typesOf are the types of an expression: of both branches, whichever is taken; one that fails has those that its parts give it.
func typesOf(ctx *hcl.EvalContext, expression hclsyntax.Expression) []cty.Type {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return typesOf(ctx, e.Expression)
	case *branches:
		return append(typesOf(ctx, e.TrueResult), typesOf(ctx, e.FalseResult)...)
	}
	value, diagnostics := expression.Value(ctx)
	if !diagnostics.HasErrors() {
		return []cty.Type{value.Type()}
	}
	if kinds := bodyTypes(ctx, expression); len(kinds) > 0 {
		return kinds
	}
	switch e := expression.(type) {
	case *hclsyntax.IndexExpr:
		elements, _ := e.Collection.Value(ctx)
		return partTypes(elements)
	case *mapLookup:
		return typesOf(ctx, e.Args[2])
	case *hclsyntax.ObjectConsExpr:
		members := map[string]cty.Type{}
		for _, item := range e.Items {
			key, diagnostics := item.KeyExpr.Value(ctx)
			if kinds := typesOf(ctx, item.ValueExpr); len(kinds) > 0 && !diagnostics.HasErrors() && key.Type() == cty.String {
				members[key.AsString()] = kinds[0]
			}
		}
		return []cty.Type{cty.Object(members)}
	}
	return []cty.Type{resultOf(expression)}
}

// vagueType is the type of an expression as far as it is known before the program runs: unknown for one of unlike elements that a
// computed index finds, and of unlike arguments.
func vagueType(ctx *hcl.EvalContext, expression hclsyntax.Expression) cty.Type {
	value, _ := expression.Value(ctx)
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return vagueType(ctx, e.Expression)
	case *hclsyntax.TupleConsExpr:
		var kinds []cty.Type
		for _, element := range e.Exprs {
			kinds = append(kinds, vagueType(ctx, element))
		}
		return cty.Tuple(kinds)
	case *hclsyntax.ObjectConsExpr:
		members := map[string]cty.Type{}
		for _, item := range e.Items {
			if key, diagnostics := item.KeyExpr.Value(ctx); !diagnostics.HasErrors() && key.Type() == cty.String {
				members[key.AsString()] = vagueType(ctx, item.ValueExpr)
			}
		}
		return cty.Object(members)
	case *hclsyntax.SplatExpr:
		return cty.List(agreed(partTypes(value)))
	case *hclsyntax.IndexExpr:
		return elementType(ctx, e.Collection, value)
	case *hclsyntax.ScopeTraversalExpr:
		if collection, ok := visitedBy[e]; ok {
			return visitedType(ctx, collection, e.Traversal[1:], value)
		}
	case *mapLookup:
		elements, _ := e.Args[0].Value(ctx)
		return agreed(append(partTypes(elements), vagueType(ctx, e.Args[2])))
	case *skipping:
		return vagueType(ctx, e.FunctionCallExpr)
	case *hclsyntax.FunctionCallExpr:
		switch {
		case e.Name == "try":
			var kinds []cty.Type
			for _, arg := range e.Args {
				kinds = append(kinds, vagueType(ctx, arg))
			}
			return agreed(kinds)
		case e.Name == "element" && len(e.Args) > 0:
			return elementType(ctx, e.Args[0], value)
		}
	case *branches:
		kinds := []cty.Type{vagueType(ctx, e.TrueResult), vagueType(ctx, e.FalseResult)}
		if kinds[0].IsPrimitiveType() && kinds[1].IsPrimitiveType() && (kinds[0] == cty.String || kinds[1] == cty.String) {
			return cty.String
		}
		return agreed(kinds)
	}
	return value.Type()
}

// visitedType is the type of what a path finds in the elements of a loop, as far as it is known before the program runs.
func visitedType(ctx *hcl.EvalContext, collection hclsyntax.Expression, path hcl.Traversal, part cty.Value) cty.Type {
	kinds := []cty.Type{part.Type()}
	elements, _ := collection.Value(ctx)
	if elements.IsKnown() && !elements.IsNull() && elements.CanIterateElements() {
		for it := elements.ElementIterator(); it.Next(); {
			_, element := it.Element()
			if other, diagnostics := path.TraverseRel(element); !diagnostics.HasErrors() {
				kinds = append(kinds, other.Type())
			}
		}
	}
	return agreed(kinds)
}

// elementType is the type of an element that a computed index finds, as far as it is known before the program runs.
func elementType(ctx *hcl.EvalContext, list hclsyntax.Expression, element cty.Value) cty.Type {
	elements, _ := list.Value(ctx)
	kinds := partTypes(elements)
	if element.Type() != cty.DynamicPseudoType || len(kinds) == 0 {
		kinds = append(kinds, element.Type())
	}
	return agreed(kinds)
}

// partTypes are the types of all elements or members.
func partTypes(value cty.Value) []cty.Type {
	var kinds []cty.Type
	if value.IsKnown() && !value.IsNull() && value.CanIterateElements() {
		for it := value.ElementIterator(); it.Next(); {
			_, part := it.Element()
			kinds = append(kinds, part.Type())
		}
	}
	return kinds
}

// scalarOrMore is the type of what is a scalar in one case and a list or a map in another.
var scalarOrMore = cty.Capsule("a scalar or a collection", reflect.TypeOf(struct{}{}))

// agreed is the type that all of the types are, or unknown.
func agreed(kinds []cty.Type) cty.Type {
	for _, kind := range kinds {
		if !kind.Equals(kinds[0]) {
			if holdsCollection(kinds) {
				return scalarOrMore
			}
			return cty.DynamicPseudoType
		}
	}
	if len(kinds) == 0 {
		return cty.DynamicPseudoType
	}
	return kinds[0]
}

// isMap tells whether an expression makes what PCL calls a map, and HCL an object.
func isMap(expression hclsyntax.Expression) bool {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return isMap(e.Expression)
	case *branches:
		return isMap(e.TrueResult) || isMap(e.FalseResult)
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

func typesOfAll(values []cty.Value) []cty.Type {
	kinds := make([]cty.Type, len(values))
	for i, value := range values {
		kinds[i] = value.Type()
	}
	return kinds
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
const noKey = "a negative number or one with a fraction is no key"

func isNoKey(key cty.Value) bool {
	if key.Type() != cty.Number || !key.IsKnown() || key.IsNull() {
		return false
	}
	number := key.AsBigFloat()
	return !number.IsInt() || number.Sign() < 0
}

func (e *strictPath) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	for _, step := range e.steps {
		if index, ok := step.(hcl.TraverseIndex); ok && isNoKey(index.Key) {
			return cty.DynamicVal, failed(e, noKey)
		}
	}
	return e.Expression.Value(ctx)
}

func (e *strictIndex) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	element, diagnostics := e.IndexExpr.Value(ctx)
	if key, _ := e.Key.Value(nil); isNoKey(key) {
		return cty.DynamicVal, append(diagnostics, failed(e, noKey)...)
	}
	elements, _ := e.Collection.Value(ctx)
	if diagnostics.HasErrors() || !elements.Type().IsTupleType() {
		return element, diagnostics
	}
	return shared(element, elements.Type().TupleElementTypes()), nil
}

// shared is a value with the members that all of its kinds have, also in its elements and members.
func shared(value cty.Value, kinds []cty.Type) cty.Value {
	mine := value.Type()
	switch {
	case !value.IsKnown() || value.IsNull():
		return value
	case mine.IsTupleType() && mine.Length() == 0:
		return cty.TupleVal(likeNeighbours(kinds))
	case mine.IsTupleType():
		elements := value.AsValueSlice()
		for i := range elements {
			elements[i] = shared(elements[i], elementTypes(mine, kinds, i, len(elements)))
		}
		return cty.TupleVal(elements)
	case mine.IsObjectType():
		members := value.AsValueMap()
		for name := range members {
			for _, kind := range kinds {
				if kind.IsObjectType() && !kind.HasAttribute(name) {
					delete(members, name)
				}
			}
		}
		for name := range members {
			members[name] = shared(members[name], memberTypes(kinds, name))
		}
		return cty.ObjectVal(members)
	}
	return value
}

// likeNeighbours is what an empty list may have as elements: unknown values, one for each element of the other lists.
func likeNeighbours(kinds []cty.Type) []cty.Value {
	elements := []cty.Value{}
	for _, kind := range kinds {
		if kind.IsTupleType() {
			for _, element := range kind.TupleElementTypes() {
				elements = append(elements, cty.UnknownVal(element))
			}
		}
	}
	return elements
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
		if index, isIndex := step.(hcl.TraverseIndex); isIndex && isTextIndex(value, index.Key) {
			return cty.DynamicVal, failed(e, "a text is no index")
		}
		value, diagnostics = step.TraversalStep(value)
	}
	return value, diagnostics
}

// Value has no element of a list for a text.
func (e *untypedIndex) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	elements, _ := e.Collection.Value(ctx)
	key, _ := e.Key.Value(ctx)
	if isTextIndex(elements, key) {
		return cty.DynamicVal, failed(e, "a text is no index")
	}
	return e.IndexExpr.Value(ctx)
}

func isTextIndex(collection, key cty.Value) bool {
	isList := collection.Type().IsTupleType() || collection.Type().IsListType()
	return !indexed && isList && key.Type() == cty.String
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
	if _, diagnostics := e.Args[2].Value(ctx); lenient && diagnostics.HasErrors() {
		call := *e.FunctionCallExpr
		call.Args = e.Args[:2]
		return call.Value(ctx)
	}
	loop := mapLoop(e.Args[0])
	if loop != nil && !untyped {
		elementType, inner := bodyType(ctx, loop)
		if kinds := bodyTypes(inner, loop.ValExpr); strictly && elementType == cty.DynamicPseudoType && len(kinds) == 1 {
			elementType = kinds[0]
		}
		if elementType == cty.DynamicPseudoType {
			result, _ := loop.Value(ctx)
			elementType = scalarOf(result, loop.Group)
		}
		otherwise, diagnostics := e.Args[2].Value(ctx)
		isList := otherwise.Type().IsTupleType() || otherwise.Type().IsListType()
		if !diagnostics.HasErrors() && !otherwise.IsNull() && loop.Group && !isList {
			return cty.DynamicVal, failed(e, "the default is no list")
		}
		kind := collectionOf(loop.ValExpr)
		if strictly && kind == "" {
			result, _ := loop.Value(ctx)
			kind = kindOfAll(partTypes(result))
		}
		if strictly && !diagnostics.HasErrors() && !loop.Group && kind != "" && !otherwise.IsNull() && kind != kindOf(otherwise.Type()) {
			return cty.DynamicVal, failed(e, "the default is unlike all elements")
		}
		candidates := []cty.Value{otherwise}
		isList = isList && !otherwise.IsNull()
		if loop.Group && isList {
			candidates = otherwise.AsValueSlice()
		}
		for i, candidate := range candidates {
			if elementType.IsObjectType() && (candidate.Type().IsMapType() || mapLoop(e.Args[2]) != nil) {
				continue // a map may lack the members of the elements
			}
			fitting, err := conformed(candidate, elementType)
			if err != nil {
				return cty.DynamicVal, failed(e, err.Error())
			}
			candidates[i] = fitting
			if loop.Group && candidate.IsNull() && elementType != cty.DynamicPseudoType {
				return cty.DynamicVal, failed(e, "an element of the default is null")
			}
		}
		if !diagnostics.HasErrors() {
			return e.withDefault(candidates, loop.Group && isList).Value(ctx)
		}
	}
	return e.FunctionCallExpr.Value(ctx)
}

// mapLoop is the loop of an expression that makes a map by one, or else has nothing; nil for others.
func mapLoop(expression hclsyntax.Expression) *hclsyntax.ForExpr {
	var loop *hclsyntax.ForExpr
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return mapLoop(e.Expression)
	case *branches:
		if isNothing(e.TrueResult) {
			return mapLoop(e.FalseResult)
		}
		if isNothing(e.FalseResult) {
			return mapLoop(e.TrueResult)
		}
	case *hclsyntax.ForExpr:
		loop = e
	case *strictLoop:
		loop = e.ForExpr
	case *lazyLoop:
		loop = e.ForExpr
	}
	if loop == nil || loop.KeyExpr == nil {
		return nil
	}
	return loop
}

// isNothing is whether an expression is null or an empty object.
func isNothing(expression hclsyntax.Expression) bool {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return isNothing(e.Expression)
	case *hclsyntax.LiteralValueExpr:
		return e.Val.IsNull()
	case *hclsyntax.ObjectConsExpr:
		return len(e.Items) == 0
	}
	return false
}

// visited is an unknown element of a collection, of a type where all elements have one.
func visited(ctx *hcl.EvalContext, collection hclsyntax.Expression) cty.Value {
	value, diagnostics := collection.Value(ctx)
	if diagnostics.HasErrors() || value.IsNull() || !value.CanIterateElements() || value.LengthInt() == 0 {
		return cty.DynamicVal
	}
	var element cty.Type
	for it := value.ElementIterator(); it.Next(); {
		_, next := it.Element()
		if element != cty.NilType && !element.Equals(next.Type()) {
			return cty.DynamicVal
		}
		element = next.Type()
	}
	return cty.UnknownVal(element)
}

// collectionOf is what an expression always makes: a list or an object; empty where that is not known.
func collectionOf(expression hclsyntax.Expression) string {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return collectionOf(e.Expression)
	case *strictLoop:
		if e.KeyExpr == nil {
			return "list"
		}
		return "object"
	case *hclsyntax.TupleConsExpr:
		return "list"
	case *hclsyntax.ObjectConsExpr:
		return "object"
	}
	return ""
}

// kindOf is a word for lists and for objects, empty for scalars.
func kindOf(kind cty.Type) string {
	switch {
	case kind.IsTupleType() || kind.IsListType():
		return "list"
	case kind.IsObjectType() || kind.IsMapType():
		return "object"
	}
	return ""
}

// kindOfAll is the word for all types, empty where it is not the same for each.
func kindOfAll(kinds []cty.Type) string {
	for _, kind := range kinds {
		if kindOf(kind) != kindOf(kinds[0]) {
			return ""
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return kindOf(kinds[0])
}

// resultOf is the type of all values of an expression, where it is one type of scalars, or a list of texts; unknown elsewhere.
func resultOf(expression hclsyntax.Expression) cty.Type {
	switch e := expression.(type) {
	case *hclsyntax.ParenthesesExpr:
		return resultOf(e.Expression)
	case *hclsyntax.TemplateExpr:
		return cty.String
	case *hclsyntax.UnaryOpExpr:
		return e.Op.Type
	case *operation:
		return e.Op.Type
	case *hclsyntax.FunctionCallExpr:
		switch e.Name {
		case "length", "max", "min":
			return cty.Number
		case "join", "toJSON", "toBase64":
			return cty.String
		case "can":
			return cty.Bool
		case "split":
			return cty.List(cty.String)
		case "element":
			return kindOfElements(resultOf(e.Args[0]))
		}
	case *hclsyntax.IndexExpr:
		return kindOfElements(resultOf(e.Collection))
	}
	return cty.DynamicPseudoType
}

func kindOfElements(list cty.Type) cty.Type {
	if list.IsListType() {
		return list.ElementType()
	}
	return cty.DynamicPseudoType
}

// scalarOf is the type of all members of the result of a loop, where it is one type of scalars.
func scalarOf(result cty.Value, grouped bool) cty.Type {
	scalar := cty.DynamicPseudoType
	if !result.IsWhollyKnown() || result.IsNull() || !result.CanIterateElements() {
		return scalar
	}
	for it := result.ElementIterator(); it.Next(); {
		_, member := it.Element()
		kind := member.Type()
		if grouped {
			kind = scalarOf(member, false)
		}
		if !kind.IsPrimitiveType() || scalar != cty.DynamicPseudoType && kind != scalar {
			return cty.DynamicPseudoType
		}
		scalar = kind
	}
	return scalar
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
	return alikeAs(value, value.Type(), others)
}

// alikeAs is alike for a value; `counting` is its type that counts.
func alikeAs(value cty.Value, counting cty.Type, others []cty.Type) cty.Value {
	if value.IsNull() || !value.IsKnown() {
		return value
	}
	mine := value.Type()
	switch {
	case mine.IsPrimitiveType():
		if collections && holdsCollection(others) || counting.Equals(scalarOrMore) {
			return value // one of unlike values
		}
		for _, other := range others {
			if other == cty.String {
				text, _ := convert.Convert(value, cty.String)
				return text
			}
		}
	case mine.IsTupleType() || mine.IsListType():
		elements := value.AsValueSlice()
		for i := range elements {
			part := elements[i].Type()
			if counting.IsTupleType() && counting.Length() == len(elements) {
				part = counting.TupleElementType(i)
			}
			elements[i] = alikeAs(elements[i], part, elementTypes(counting, others, i, len(elements)))
		}
		return cty.TupleVal(elements)
	case mine.IsObjectType() || mine.IsMapType():
		members := value.AsValueMap()
		for name := range members {
			part := members[name].Type()
			if counting.IsObjectType() && counting.HasAttribute(name) {
				part = counting.AttributeType(name)
			}
			members[name] = alikeAs(members[name], part, memberTypes(others, name))
		}
		return cty.ObjectVal(members)
	}
	return value
}

// elementTypes are the types in the place of element i; lists of different lengths have one type for all elements.
func elementTypes(mine cty.Type, others []cty.Type, i, length int) []cty.Type {
	var types []cty.Type
	for _, other := range others {
		switch {
		case collections && other.Equals(mine): // nothing to agree on
		case other.IsListType():
			types = append(types, other.ElementType())
			if collections && mine.IsTupleType() {
				types = append(types, mine.TupleElementTypes()...)
			}
		case other.IsTupleType() && mine.IsTupleType() && other.Length() == length && !collections:
			types = append(types, other.TupleElementType(i))
		case other.IsTupleType():
			kinds := other.TupleElementTypes()
			if mine.IsTupleType() {
				kinds = append(kinds, mine.TupleElementTypes()...)
			}
			if !vague && !areUnlike(kinds) || allScalars(kinds) {
				types = append(types, kinds...)
			}
		}
	}
	return types
}

func allScalars(kinds []cty.Type) bool {
	for _, kind := range kinds {
		if !kind.IsPrimitiveType() {
			return false
		}
	}
	return true
}

// areUnlike is whether there are scalars and others: no scalar is made a text for their sake.
func areUnlike(kinds []cty.Type) bool {
	scalars := 0
	for _, kind := range kinds {
		if kind.IsPrimitiveType() {
			scalars++
		}
	}
	return scalars > 0 && holdsCollection(kinds)
}

func holdsCollection(kinds []cty.Type) bool {
	for _, kind := range kinds {
		if kindOf(kind) != "" {
			return true
		}
	}
	return false
}

func holdsMap(kinds []cty.Type) bool {
	for _, kind := range kinds {
		if kind.IsMapType() {
			return true
		}
	}
	return false
}

func memberTypes(others []cty.Type, name string) []cty.Type {
	var types []cty.Type
	for _, other := range others {
		if other.IsObjectType() && other.HasAttribute(name) {
			types = append(types, other.AttributeType(name))
		} else if other.IsMapType() {
			types = append(types, other.ElementType())
		}
		if collections && other.IsObjectType() && holdsMap(others) {
			for _, kind := range other.AttributeTypes() {
				types = append(types, kind)
			}
		}
	}
	return types
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
	return e.computed(ctx)
}

// Value has no sign when it is zero.
func (e *negation) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	value, diagnostics := e.UnaryOpExpr.Value(ctx)
	if diagnostics.HasErrors() || !value.IsKnown() || value.IsNull() || value.AsBigFloat().Sign() != 0 {
		return value, diagnostics
	}
	return cty.Zero, diagnostics
}

// unsigned is a number; a zero has no sign.
func unsigned(double float64) cty.Value {
	return cty.NumberFloatVal(double + 0)
}

// computed is the result in doubles; it fails for a divisor of zero, and a remainder has the sign of the dividend.
func (e *operation) computed(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var numbers [2]float64
	for i, operand := range []hclsyntax.Expression{e.LHS, e.RHS} {
		value, _ := operand.Value(ctx)
		number, err := convert.Convert(value, cty.Number)
		if err != nil {
			return cty.DynamicVal, failed(e, err.Error())
		}
		numbers[i], _ = number.AsBigFloat().Float64()
	}
	left, right := numbers[0], numbers[1]
	switch {
	case e.Op == hclsyntax.OpAdd:
		return unsigned(left + right), nil
	case e.Op == hclsyntax.OpSubtract:
		return unsigned(left - right), nil
	case e.Op == hclsyntax.OpMultiply:
		return unsigned(left * right), nil
	case right == 0:
		return cty.DynamicVal, failed(e, "this divides by zero")
	case e.Op == hclsyntax.OpDivide:
		return unsigned(left / right), nil
	}
	return unsigned(math.Mod(left, right)), nil
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
		inner.Variables[e.KeyVar] = keyOf(ctx, e.CollExpr)
	}
	for _, part := range []hclsyntax.Expression{e.KeyExpr, e.ValExpr} {
		if part != nil {
			if _, diagnostics := part.Value(inner); diagnostics.HasErrors() {
				return cty.DynamicVal, diagnostics
			}
		}
	}
	if e.CondExpr != nil {
		_, diagnostics := e.CondExpr.Value(inner)
		if diagnostics.HasErrors() {
			return cty.DynamicVal, diagnostics
		}
		if kind := vagueType(inner, e.CondExpr); kind == cty.Number || kindOf(kind) != "" {
			return cty.DynamicVal, failed(e.CondExpr, "a condition is no bool")
		}
	}
	all := *e.ForExpr
	all.CondExpr = nil
	if _, diagnostics := all.Value(ctx); diagnostics.HasErrors() {
		return cty.DynamicVal, diagnostics
	}
	result, diagnostics := e.ForExpr.Value(ctx)
	if !diagnostics.HasErrors() && result.IsKnown() && result.Type().IsTupleType() && result.LengthInt() == 0 {
		element, _ := e.ValExpr.Value(inner)
		return cty.TupleVal([]cty.Value{element}), nil
	}
	if !diagnostics.HasErrors() && result.IsKnown() && result.Type().IsObjectType() && result.LengthInt() == 0 {
		element, _ := e.ValExpr.Value(inner)
		if e.Group {
			element = cty.TupleVal([]cty.Value{element})
		}
		return cty.ObjectVal(map[string]cty.Value{"key": element}), nil
	}
	return result, diagnostics
}
