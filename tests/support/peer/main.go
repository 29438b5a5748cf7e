// Command peer compiles PCL programs with the reference's own binder and generators, for the benchmarks.
//
//	peer SCHEMAS LANGUAGE,... OUT PROGRAM...
//
// SCHEMAS is a folder of files NAME-VERSION.json, LANGUAGE is "python", "typescript" or "go", OUT gets the generated files, and a
// PROGRAM is a folder of .pp files.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type generator func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

var generators = map[string]generator{
	"python":     python.GenerateProgram,
	"typescript": nodejs.GenerateProgram,
	"go":         gogen.GenerateProgram,
}

var importers = map[string]schema.Language{
	"python": python.Importer,
	"nodejs": nodejs.Importer,
	"go":     gogen.Importer,
}

// folder loads the schemas of packages from a folder, each once and only as far as a program needs it.
type folder struct {
	path   string
	loaded map[string]schema.PackageReference
}

func (f *folder) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	reference, err := f.LoadPackageReference(name, version)
	if err != nil {
		return nil, err
	}
	return reference.Definition()
}

func (f *folder) LoadPackageV2(_ context.Context, d *schema.PackageDescriptor) (*schema.Package, error) {
	return f.LoadPackage(d.Name, d.Version)
}

func (f *folder) LoadPackageReferenceV2(
	_ context.Context, d *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return f.LoadPackageReference(d.Name, d.Version)
}

func (f *folder) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	if loaded, ok := f.loaded[name]; ok {
		return loaded, nil
	}
	files, err := filepath.Glob(filepath.Join(f.path, name+"-[0-9]*.json"))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("%d schemas of package %s in %s", len(files), name, f.path)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	var spec schema.PartialPackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	reference, err := schema.ImportPartialSpec(spec, importers, f)
	if err != nil {
		return nil, err
	}
	f.loaded[name] = reference
	return reference, nil
}

func compile(loader schema.ReferenceLoader, path string, languages []string, out string) error {
	files, err := filepath.Glob(filepath.Join(path, "*.pp"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no program in %s", path)
	}
	parser := syntax.NewParser()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := parser.ParseFile(bytes.NewReader(text), filepath.Base(file)); err != nil {
			return err
		}
	}
	if parser.Diagnostics.HasErrors() {
		return parser.Diagnostics
	}
	for _, language := range languages {
		// A generator rewrites the program that it is given, so each language binds its own, as the reference's commands do.
		program, diagnostics, err := pcl.BindProgram(parser.Files, pcl.Loader(loader), pcl.DirPath(path),
			pcl.ComponentBinder(pcl.ComponentProgramBinderFromFileSystem()), pcl.Cache(pcl.NewPackageCache()))
		if err != nil {
			return err
		}
		if diagnostics.HasErrors() {
			return diagnostics
		}
		written, diagnostics, err := generators[language](program)
		if err != nil {
			return err
		}
		if diagnostics.HasErrors() {
			return diagnostics
		}
		for name, text := range written {
			target := filepath.Join(out, filepath.Base(path), language, name)
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(target, text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	if len(os.Args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: peer SCHEMAS LANGUAGE,... OUT PROGRAM...")
		os.Exit(2)
	}
	loader := &folder{path: os.Args[1], loaded: map[string]schema.PackageReference{}}
	for _, program := range os.Args[4:] {
		if err := compile(loader, program, strings.Split(os.Args[2], ","), os.Args[3]); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
			os.Exit(1)
		}
	}
}
