package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

var acmeStages = []string{"dev", "test", "prod"}

// acmeSlug is a text as part of a name.
func acmeSlug(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), "-")
}

// acmeSlugs is the same of each text of a list.
func acmeSlugs(texts []string) []string {
	slugs := make([]string, 0, len(texts))
	for _, text := range texts {
		slugs = append(slugs, acmeSlug(text))
	}
	return slugs
}

// acmeTags are the tags that every resource has.
func acmeTags(team string, stage string) (map[string]string, error) {
	if !slices.Contains(acmeStages, stage) {
		return nil, fmt.Errorf("a stage is one of %s", strings.Join(acmeStages, ", "))
	}
	return map[string]string{"owner": acmeSlug(team), "stage": stage}, nil
}

// acmeShare is an equal share of a number.
func acmeShare(total float64, parts int) (float64, error) {
	if parts < 1 {
		return 0, errors.New("there must be a part")
	}
	return total / float64(parts), nil
}
