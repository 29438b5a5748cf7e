// Command tool reads Go packages and checks programs against them.
//
// Standard input has "import path<tab>place" for all packages that matter; a place is a folder of sources, or a file with
// export data, as `go list -export -deps` prints it.
//
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
	"strconv"
	"strings"
)

func main() {
	all := &packages{places: map[string]string{}, files: token.NewFileSet(), read: map[string]*types.Package{}}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		if path, place, ok := strings.Cut(input.Text(), "\t"); ok {
			all.places[path] = place
		}
	}
	all.compiled = importer.ForCompiler(all.files, "gc", all.open)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for _, argument := range os.Args[2:] {
		var lines []string
		if os.Args[1] == "types" {
			_, lines = all.check(argument, argument)
		} else {
			lines = imported(all.files, argument)
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
		checked, lines := p.check(path, place)
		if lines != nil {
			fail(strings.Join(lines, "\n"))
		}
		p.read[path] = checked
	}
	return p.read[path], nil
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
		var mistakes scanner.ErrorList
		if errors.As(err, &mistakes) {
			for _, mistake := range mistakes {
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
	checked, _ := settings.Check(path, p.files, sources, nil)
	return checked, lines
}

// imported lists what the files in a folder import, as far as they can be read.
func imported(files *token.FileSet, folder string) []string {
	var lines []string
	names, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range names {
		source, _ := parser.ParseFile(files, name, nil, parser.ImportsOnly)
		for _, clause := range source.Imports {
			if path, err := strconv.Unquote(clause.Path.Value); err == nil {
				lines = append(lines, path)
			}
		}
	}
	return lines
}
