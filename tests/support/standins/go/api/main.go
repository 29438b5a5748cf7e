// Command api prints what Go packages export, one declaration a line, sorted.
//
// Comes in: on the command line the packages to print; on standard input "import path<tab>export data file" for them and
// all that they import, as `go list -export -deps` prints it.
package main

import (
	"bufio"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"sort"
	"strings"
)

func main() {
	exports := map[string]string{}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		if path, file, found := strings.Cut(input.Text(), "\t"); found {
			exports[path] = file
		}
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	imports := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for _, path := range os.Args[1:] {
		found, err := imports.Import(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, line := range describe(found) {
			fmt.Fprintln(output, path+": "+line)
		}
	}
}

// describe lists the declarations of a package.
func describe(found *types.Package) []string {
	var lines []string
	for _, name := range found.Scope().Names() {
		object := found.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			lines = append(lines, fmt.Sprintf("const %s %s = %s", name, object.Type(), object.Val().ExactString()))
		case *types.TypeName:
			lines = append(lines, describeType(object)...)
		case *types.Func:
			lines = append(lines, "func "+name+shape(object.Type().(*types.Signature)))
		default:
			lines = append(lines, types.ObjectString(object, nil))
		}
	}
	sort.Strings(lines)
	return lines
}

// describeType lists a type, its exported fields, and the methods of a pointer to it.
func describeType(object *types.TypeName) []string {
	name, under := object.Name(), object.Type().Underlying()
	var lines []string
	switch under := under.(type) {
	case *types.Struct:
		lines = append(lines, fmt.Sprintf("type %s struct", name))
		for i := range under.NumFields() {
			if field := under.Field(i); field.Exported() {
				lines = append(lines, fmt.Sprintf("field %s.%s %s %s", name, field.Name(), field.Type(), under.Tag(i)))
			}
		}
	case *types.Interface:
		lines = append(lines, fmt.Sprintf("type %s interface", name))
		for i := range under.NumMethods() {
			method := under.Method(i)
			lines = append(lines, "method "+name+"."+method.Name()+shape(method.Type().(*types.Signature)))
		}
	default:
		lines = append(lines, fmt.Sprintf("type %s %s", name, under))
	}
	methods := types.NewMethodSet(types.NewPointer(object.Type()))
	for i := range methods.Len() {
		method := methods.At(i)
		// Embedded types bring their own; they are told by the field.
		if method.Obj().Exported() && len(method.Index()) == 1 {
			signature := method.Obj().Type().(*types.Signature)
			receiver := types.TypeString(signature.Recv().Type(), nil)
			lines = append(lines, fmt.Sprintf("method (%s).%s%s", receiver, method.Obj().Name(), shape(signature)))
		}
	}
	return lines
}

// shape is a signature without the names of its parameters.
func shape(signature *types.Signature) string {
	text := tuple(signature.Params()) + " " + tuple(signature.Results())
	if signature.Variadic() {
		text += " variadic"
	}
	return text
}

func tuple(found *types.Tuple) string {
	var parts []string
	for i := range found.Len() {
		parts = append(parts, found.At(i).Type().String())
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
