// Command sdkgen writes the SDKs of packages with the reference's own generators.
//
//	sdkgen OUT LANGUAGE,... SCHEMA...
//
// LANGUAGE is "python", "typescript" or "go". The SDK of a package gets the folder OUT/LANGUAGE/NAME-VERSION. Schemas may refer
// to each other. The folders are printed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pclgen-tests"

// files loads packages from their schema files. Without a schema of the requested version, another one serves as such.
type files struct {
	specs map[string][]schema.PackageSpec
	bound map[string]schema.PackageReference
}

func (f *files) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	specs := f.specs[name]
	if len(specs) == 0 {
		return nil, fmt.Errorf("no schema of package %s", name)
	}
	spec := specs[len(specs)-1]
	for _, candidate := range specs {
		if version != nil && candidate.Version == version.String() {
			spec = candidate
		}
	}
	if version != nil {
		spec.Version = version.String()
	}
	key := name + " " + spec.Version
	if f.bound[key] == nil {
		bound, err := bind(spec, f)
		if err != nil {
			return nil, err
		}
		f.bound[key] = bound.Reference()
	}
	return f.bound[key], nil
}

func (f *files) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	reference, err := f.LoadPackageReference(name, version)
	if err != nil {
		return nil, err
	}
	return reference.Definition()
}

// described is the name and version of the package itself, which may come out of another one by a parameter.
func described(d *schema.PackageDescriptor) (string, *semver.Version) {
	if d.Parameterization != nil {
		return d.Parameterization.Name, &d.Parameterization.Version
	}
	return d.Name, d.Version
}

func (f *files) LoadPackageV2(_ context.Context, d *schema.PackageDescriptor) (*schema.Package, error) {
	return f.LoadPackage(described(d))
}

func (f *files) LoadPackageReferenceV2(_ context.Context, d *schema.PackageDescriptor) (schema.PackageReference, error) {
	return f.LoadPackageReference(described(d))
}

// bind reads a schema anew for each use: a generator changes the package that it gets. As in `pulumi package gen-sdk`, that
// is the package as it is written out and read again, which is not always the same.
func bind(spec schema.PackageSpec, loader schema.Loader) (*schema.Package, error) {
	bound, err := bindOnce(spec, loader)
	if err != nil {
		return nil, err
	}
	text, err := bound.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var written schema.PackageSpec
	if err := json.Unmarshal(text, &written); err != nil {
		return nil, err
	}
	return bindOnce(written, loader)
}

func bindOnce(spec schema.PackageSpec, loader schema.Loader) (*schema.Package, error) {
	options := schema.ValidationOptions{AllowDanglingReferences: true}
	bound, diagnostics, err := schema.BindSpec(spec, loader, options)
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	return bound, err
}

// keepVersion lets SDKs request the schema's version of the plugin. Without this, they take it from how they were installed.
func keepVersion(spec *schema.PackageSpec) error {
	if spec.Language == nil {
		spec.Language = map[string]schema.RawMessage{}
	}
	for _, language := range []string{"python", "nodejs", "go"} {
		settings := map[string]any{}
		if text := spec.Language[language]; len(text) > 0 {
			if err := json.Unmarshal(text, &settings); err != nil {
				return err
			}
		}
		settings["respectSchemaVersion"] = true
		text, err := json.Marshal(settings)
		if err != nil {
			return err
		}
		spec.Language[language] = text
	}
	return nil
}

func generate(language string, bound *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
	switch language {
	case "python":
		return python.GeneratePackage(tool, bound, nil, loader)
	case "typescript":
		return nodejs.GeneratePackage(tool, bound, nil, nil, false, loader)
	case "go":
		return gogen.GeneratePackage(tool, bound, nil)
	}
	return nil, fmt.Errorf("no language %s", language)
}

func write(folder string, texts map[string][]byte) error {
	for name, text := range texts {
		target := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func run(out string, languages []string, paths []string) error {
	loader := &files{specs: map[string][]schema.PackageSpec{}, bound: map[string]schema.PackageReference{}}
	specs := map[string]schema.PackageSpec{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var spec schema.PackageSpec
		if err := json.Unmarshal(text, &spec); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := keepVersion(&spec); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		loader.specs[spec.Name] = append(loader.specs[spec.Name], spec)
		specs[path] = spec
	}
	for _, path := range paths {
		for _, language := range languages {
			bound, err := bind(specs[path], loader)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			texts, err := generate(language, bound, loader)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", path, language, err)
			}
			folder := filepath.Join(out, language, specs[path].Name+"-"+specs[path].Version)
			if err := write(folder, texts); err != nil {
				return err
			}
			fmt.Println(folder)
		}
	}
	return nil
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: sdkgen OUT LANGUAGE,... SCHEMA...")
		os.Exit(2)
	}
	if err := run(os.Args[1], strings.Split(os.Args[2], ","), os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
