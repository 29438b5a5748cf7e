// Command tool reads Go packages and checks programs against them.
//
// Comes in: on standard input "import path<tab>place" for all packages that matter; a place is a folder of sources, or a
// file with export data, as `go list -export -deps` prints it.
//
//	tool api <import path>...   prints what the packages export, one declaration a line
//	tool types <folder>...      prints the mistakes of the programs in the folders, one package a folder
//	tool imports <folder>...    prints what they import; needs no packages
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
	found := &packages{places: map[string]string{}, files: token.NewFileSet(), read: map[string]*types.Package{}}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		if path, place, ok := strings.Cut(input.Text(), "\t"); ok {
			found.places[path] = place
		}
	}
	found.compiled = importer.ForCompiler(found.files, "gc", found.open)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for _, argument := range os.Args[2:] {
		var lines []string
		switch os.Args[1] {
		case "types":
			_, lines = found.check(argument, argument)
		case "imports":
			lines = imported(found.files, argument)
		default:
			lines = describe(argument, found.must(argument))
		}
		for _, line := range lines {
			fmt.Fprintln(output, line)
		}
	}
}

// packages finds packages by import path.
type packages struct {
	places   map[string]string
	files    *token.FileSet
	compiled types.Importer
	read     map[string]*types.Package
}

func (p *packages) open(path string) (io.ReadCloser, error) {
	if p.places[path] == "" {
		return nil, fmt.Errorf("no such package: %s", path)
	}
	return os.Open(p.places[path])
}

// Import answers a package; one of which there are sources has to be right.
func (p *packages) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	place := p.places[path]
	if info, err := os.Stat(place); place == "" || err != nil || !info.IsDir() {
		return p.compiled.Import(path)
	}
	if p.read[path] == nil {
		found, lines := p.check(path, place)
		if lines != nil {
			fail(strings.Join(lines, "\n"))
		}
		p.read[path] = found
	}
	return p.read[path], nil
}

func (p *packages) must(path string) *types.Package {
	found, err := p.Import(path)
	if err != nil {
		fail(err.Error())
	}
	return found
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}

// check type-checks the package in a folder and lists its mistakes.
func (p *packages) check(path, folder string) (*types.Package, []string) {
	var lines []string
	var sources []*ast.File
	names, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range names {
		source, err := parser.ParseFile(p.files, name, nil, parser.SkipObjectResolution|parser.AllErrors)
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
		return nil, lines
	}
	settings := types.Config{
		Importer: p,
		Error:    func(err error) { lines = append(lines, strings.ReplaceAll(err.Error(), "\n", " ")) },
	}
	found, _ := settings.Check(path, p.files, sources, nil)
	return found, lines
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
func describe(path string, found *types.Package) []string {
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
	for i, line := range lines {
		lines[i] = path + ": " + line
	}
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
