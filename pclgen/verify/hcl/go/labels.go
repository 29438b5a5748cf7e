package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

var whole = regexp.MustCompile(`\bint\b`)

// converted gives the value the type that a label says; `int` is a number, as HCL has no such type.
func converted(value cty.Value, label string) (cty.Value, error) {
	label = whole.ReplaceAllString(label, "number")
	if strings.HasPrefix(label, "optional(") {
		label = strings.TrimSuffix(strings.TrimPrefix(label, "optional("), ")")
	}
	expression, diagnostics := hclsyntax.ParseExpression([]byte(label), "label", hcl.InitialPos)
	if diagnostics.HasErrors() {
		return cty.NilVal, diagnostics
	}
	wanted, defaults, diagnostics := typeexpr.TypeConstraintWithDefaults(expression)
	if diagnostics.HasErrors() {
		return cty.NilVal, diagnostics
	}
	if defaults != nil && !value.IsNull() {
		value = defaults.Apply(value)
	}
	if rows {
		return conformed(value, wanted)
	}
	return convert.Convert(value, wanted)
}

// conformed is a conversion in which `any` in a list or a map is any type for each element.
func conformed(value cty.Value, wanted cty.Type) (cty.Value, error) {
	have := value.Type()
	isList, isMap := have.IsTupleType() || have.IsListType(), have.IsObjectType() || have.IsMapType()
	var err error
	switch {
	case wanted == cty.DynamicPseudoType || value.IsNull():
		return value, nil
	case strictly && (wanted.IsListType() || wanted.IsMapType()) && holdsNull(value) && wanted.ElementType() != cty.DynamicPseudoType:
		return cty.NilVal, errors.New("an element is null")
	case wanted.IsListType() && isList:
		elements := value.AsValueSlice()
		for i := range elements {
			if elements[i], err = conformed(elements[i], wanted.ElementType()); err != nil {
				return cty.NilVal, err
			}
		}
		return cty.TupleVal(elements), nil
	case wanted.IsMapType() && isMap:
		members := value.AsValueMap()
		for name := range members {
			if members[name], err = conformed(members[name], wanted.ElementType()); err != nil {
				return cty.NilVal, err
			}
		}
		return cty.ObjectVal(members), nil
	case wanted.IsObjectType() && isMap:
		members, values := map[string]cty.Value{}, value.AsValueMap()
		for name := range values {
			if strictly && !wanted.HasAttribute(name) {
				return cty.NilVal, fmt.Errorf("there is no attribute %q", name)
			}
		}
		for name, kind := range wanted.AttributeTypes() {
			member, ok := values[name]
			if !ok && !wanted.AttributeOptional(name) && kind != cty.DynamicPseudoType {
				return cty.NilVal, fmt.Errorf("attribute %q is required", name)
			}
			if ok && strictly && member.IsNull() && !wanted.AttributeOptional(name) && kind != cty.DynamicPseudoType {
				return cty.NilVal, fmt.Errorf("attribute %q is null", name)
			}
			if (untyped || absent) && (!ok || member.IsNull() && (wanted.AttributeOptional(name) || kind == cty.DynamicPseudoType)) {
				continue
			}
			if !ok {
				member = cty.NullVal(kind.WithoutOptionalAttributesDeep())
			}
			if members[name], err = conformed(member, kind); err != nil {
				return cty.NilVal, err
			}
		}
		return cty.ObjectVal(members), nil
	}
	return convert.Convert(value, wanted)
}

func holdsNull(value cty.Value) bool {
	for it := value.ElementIterator(); it.Next(); {
		if _, element := it.Element(); element.IsNull() {
			return true
		}
	}
	return false
}
