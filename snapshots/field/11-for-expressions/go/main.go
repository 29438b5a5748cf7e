package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type User struct {
	Name  string `json:"name" pulumi:"name"`
	Admin bool   `json:"admin" pulumi:"admin"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var users []User
		if err := cfg.TryObject("users", &users); errors.Is(err, config.ErrMissingVar) {
			users = []User{
				{
					Name:  "alice",
					Admin: true,
				},
				{
					Name:  "bob",
					Admin: false,
				},
			}
		} else if err != nil {
			return err
		}
		var givenUsers []map[string]any
		cfg.GetObject("users", &givenUsers)
		for index, user := range givenUsers {
			place := fmt.Sprintf("main.pp:1:8: users[%d]", index)
			if err := requireMembers(user, place, "name", "admin"); err != nil {
				return err
			}
		}

		var ports map[string]int
		if err := cfg.TryObject("ports", &ports); errors.Is(err, config.ErrMissingVar) {
			ports = map[string]int{
				"http":  80,
				"https": 443,
			}
		} else if err != nil {
			return err
		}

		names := []string{"web", "api", "worker"}

		upper := make([]string, 0, len(names))
		for _, n := range names {
			upper = append(upper, "svc-"+n)
		}

		indexed := make([]string, 0, len(names))
		for i, n := range names {
			indexed = append(indexed, fmt.Sprintf("%d-%s", i, n))
		}

		filtered := []string{}
		for _, n := range names {
			if n != "worker" {
				filtered = append(filtered, n)
			}
		}

		byName := map[string]string{}
		for _, n := range names {
			byName[n] = fmt.Sprintf("https://%s.example.com", n)
		}

		admins := []string{}
		for _, u := range users {
			if u.Admin {
				admins = append(admins, u.Name)
			}
		}

		portPairs := make([]string, 0, len(ports))
		for _, k := range slices.Sorted(maps.Keys(ports)) {
			v := ports[k]
			portPairs = append(portPairs, fmt.Sprintf("%s=%d", k, v))
		}

		lowPorts := map[string]int{}
		for _, k := range slices.Sorted(maps.Keys(ports)) {
			v := ports[k]
			if v < 100 {
				lowPorts[k] = v
			}
		}

		byRole := map[string][]string{}
		for _, u := range users {
			key := "users"
			if u.Admin {
				key = "admins"
			}
			byRole[key] = append(byRole[key], u.Name)
		}

		topics := make([]string, 0, len(names))
		for _, n := range names {
			topics = append(topics, "svc-"+n)
		}
		repo, err := github.NewRepository(ctx, "repo", &github.RepositoryArgs{
			Name:   pulumi.String("services"),
			Topics: pulumi.ToStringArray(topics),
		})
		if err != nil {
			return err
		}

		labels := make(github.IssueLabelsLabelArray, 0, len(names))
		for _, n := range names {
			labels = append(labels, github.IssueLabelsLabelArgs{
				Name:        pulumi.String("area/" + n),
				Color:       pulumi.String("cccccc"),
				Description: pulumi.String("Changes of " + n),
			})
		}
		_, err = github.NewIssueLabels(ctx, "labels", &github.IssueLabelsArgs{
			Repository: repo.Name,
			Labels:     labels,
		})
		if err != nil {
			return err
		}

		users2 := make(github.RepositoryCollaboratorsUserArray, 0, len(users))
		for _, u := range users {
			permission := "push"
			if u.Admin {
				permission = "admin"
			}
			users2 = append(users2, github.RepositoryCollaboratorsUserArgs{
				Username:   pulumi.String(u.Name),
				Permission: pulumi.String(permission),
			})
		}
		_, err = github.NewRepositoryCollaborators(ctx, "access", &github.RepositoryCollaboratorsArgs{
			Repository: repo.Name,
			Users:      users2,
		})
		if err != nil {
			return err
		}

		ctx.Export("all", pulumi.Map{
			"upper":    pulumi.ToStringArray(upper),
			"indexed":  pulumi.ToStringArray(indexed),
			"filtered": pulumi.ToStringArray(filtered),
			"byName":   pulumi.ToStringMap(byName),
			"admins":   pulumi.ToStringArray(admins),
			"ports":    pulumi.ToStringArray(portPairs),
			"low":      pulumi.ToIntMap(lowPorts),
			"byRole":   pulumi.ToStringArrayMap(byRole),
		})
		return nil
	})
}

// requireMembers fails if an object lacks a required member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
