// Command tool reads compiled Go packages and checks programs against them.
//
// Comes in: on standard input "import path<tab>export data file" for all packages that matter, as `go list -export -deps`
// prints it
// (nothing for imports).
//
//	tool api <import path>...   prints what the packages export, one declaration a line
//	tool types <folder>...      prints the mistakes of the programs in the folders, one package a folder
//	tool imports <folder>...    prints what they import
package main

import (
	"bufio"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
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
	lookup := func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no such package: %s", path)
		}
		return os.Open(exports[path])
	}
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", lookup)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for _, argument := range os.Args[2:] {
		var lines []string
		switch os.Args[1] {
		case "types":
			lines = check(files, imports, argument)
		case "imports":
			lines = imported(files, argument)
		default:
			found, err := imports.Import(argument)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			for _, line := range describe(found) {
				lines = append(lines, argument+": "+line)
			}
		}
		for _, line := range lines {
			fmt.Fprintln(output, line)
		}
	}
}

// imported lists what the files in a folder import, as far as they can be read.
func imported(files *token.FileSet, folder string) []string {
	var lines []string
	names, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range names {
		source, _ := parser.ParseFile(files, name, nil, parser.ImportsOnly)
		for _, found := range source.Imports {
			if path, err := strconv.Unquote(found.Path.Value); err == nil {
				lines = append(lines, path)
			}
		}
	}
	return lines
}

// check type-checks the package in a folder and lists its mistakes.
func check(files *token.FileSet, imports types.Importer, folder string) []string {
	var lines []string
	var sources []*ast.File
	names, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range names {
		source, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution|parser.AllErrors)
		var found scanner.ErrorList
		if errors.As(err, &found) {
			for _, mistake := range found {
				lines = append(lines, mistake.Error())
			}
		} else if err != nil {
			lines = append(lines, name+": "+err.Error())
		}
		sources = append(sources, source)
	}
	if lines != nil {
		return lines
	}
	settings := types.Config{
		Importer: imports,
		Error:    func(err error) { lines = append(lines, strings.ReplaceAll(err.Error(), "\n", " ")) },
	}
	_, _ = settings.Check(folder, files, sources, nil)
	return lines
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
