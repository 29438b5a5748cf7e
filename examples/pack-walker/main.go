// Packwalker prints the resources of a pack with their inputs, as docs/packs.md describes the format: a start for back ends
// in other languages. It needs neither pclgen nor schemas: every reference is resolved, every conversion is there.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Node is an expression, a definition or a part of one; what a kind has is in docs/mupack.schema.json.
type Node map[string]any

type program struct {
	Name        string
	Definitions []Node
}

type pack struct {
	Format     string
	Version    int
	Name       string
	Files      []struct{ Name, Text string }
	Symbols    []struct{ Name, Kind string }
	Components []struct {
		Name    string
		Program program
	}
	Program *program
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: packwalker FILE.mupack.json")
		os.Exit(2)
	}
	data, err := os.ReadFile(os.Args[1])
	var p pack
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err == nil && (p.Format != "mupack" || p.Version > 2) {
		err = fmt.Errorf("%s is not a pack of version 1 or 2", os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if p.Program != nil {
		p.walk(*p.Program)
	}
	for _, component := range p.Components {
		fmt.Printf("component %s\n", component.Name)
		p.walk(component.Program)
	}
}

// walk prints the resources of a program, or of the inside of a component.
func (p pack) walk(inside program) {
	for _, definition := range inside.Definitions {
		if definition["kind"] != "Resource" {
			continue
		}
		fmt.Printf("%s %s  (%s)\n", definition["token"], definition["logicalName"], p.place(definition["at"]))
		inputs, _ := definition["inputs"].([]any)
		for _, input := range inputs {
			fmt.Printf("  %s = %s\n", Node(input.(map[string]any))["name"], p.show(child(input, "value")))
		}
	}
}

// place is where something stands: the file and the line.
func (p pack) place(at any) string {
	parts := at.([]any)
	file, start := p.Files[int(parts[0].(float64))], int(parts[1].(float64))
	return fmt.Sprintf("%s:%d", file.Name, 1+strings.Count(string([]rune(file.Text)[:start]), "\n"))
}

func child(parent any, key string) Node {
	found, _ := parent.(map[string]any)[key].(map[string]any)
	return found
}

// show writes an expression close to how a program has it.
func (p pack) show(e Node) string {
	switch e["kind"] {
	case "Literal":
		text, _ := json.Marshal(e["value"])
		return string(text)
	case "Ref":
		return p.Symbols[int(e["symbol"].(float64))].Name
	case "Attr":
		return p.show(child(map[string]any(e), "source")) + "." + e["name"].(string)
	case "Convert":
		return p.show(child(map[string]any(e), "value"))
	case "ListExpr":
		return "[" + p.all(e["elements"], "") + "]"
	case "ObjectExpr":
		return "{" + p.all(e["items"], "value") + "}"
	case "Template":
		return "template(" + p.all(e["parts"], "") + ")"
	case "Call":
		return e["function"].(string) + "(" + p.all(e["args"], "") + ")"
	}
	return fmt.Sprintf("<%s>", e["kind"])
}

// all shows the nodes of a list, or what stands in them under a key, behind their own key.
func (p pack) all(list any, key string) string {
	var shown []string
	nodes, _ := list.([]any)
	for _, node := range nodes {
		if key == "" {
			shown = append(shown, p.show(node.(map[string]any)))
			continue
		}
		shown = append(shown, p.show(child(node, "key"))+" = "+p.show(child(node, key)))
	}
	return strings.Join(shown, ", ")
}
