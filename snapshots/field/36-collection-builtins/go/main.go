package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/rivo/uniseg"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var servers []string
		if err := cfg.TryObject("servers", &servers); errors.Is(err, config.ErrMissingVar) {
			servers = []string{"alpha", "beta", "gamma"}
		} else if err != nil {
			return err
		}

		var sizes map[string]string
		if err := cfg.TryObject("sizes", &sizes); errors.Is(err, config.ErrMissingVar) {
			sizes = map[string]string{
				"small": "s-1vcpu-1gb",
				"large": "s-4vcpu-8gb",
			}
		} else if err != nil {
			return err
		}

		path, err := cfg.Try("path")
		if err != nil {
			path = "a/b/c"
		}

		limit, err := cfg.TryInt("limit")
		if errors.Is(err, config.ErrMissingVar) {
			limit = 5
		} else if err != nil {
			return err
		}

		picked, ok := sizes["small"]
		if !ok {
			picked = "s-1vcpu-2gb"
		}

		second := servers[1%len(servers)]
		joined := strings.Join(servers, ",")
		pieces := strings.Split(path, "/")
		count := len(servers)
		lowest := min(count, limit, 10)
		highest := max(count, limit)

		items := []map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(sizes)) {
			value := sizes[key]
			items = append(items, map[string]string{
				"key":   key,
				"value": value,
			})
		}
		pairs := make([]string, 0, len(items))
		for _, e := range items {
			pairs = append(pairs, fmt.Sprintf("%s:%s", e["key"], e["value"]))
		}

		numbers := numbersFrom(0, 3)

		offset := []string{}
		for _, i := range numbersFrom(2, 5) {
			offset = append(offset, fmt.Sprintf("n%d", i))
		}

		only, err := singleOrNone([]string{second})
		if err != nil {
			return err
		}

		shuffle, err := random.NewRandomShuffle(ctx, "shuffle", &random.RandomShuffleArgs{
			Inputs:      pulumi.ToStringArray(pieces),
			ResultCount: pulumi.Int(lowest),
		})
		if err != nil {
			return err
		}

		pet, err := random.NewRandomPet(ctx, "pet", &random.RandomPetArgs{
			Length: shuffle.Inputs.ApplyT(func(inputs []string) int { return len(inputs) }).(pulumi.IntOutput),
			Prefix: shuffle.Results.ApplyT(func(results []string) string {
				return strings.Join(results, "-")
			}).(pulumi.StringOutput),
			Separator: shuffle.Results.ApplyT(func(results []string) string { return results[0] }).(pulumi.StringOutput),
		})
		if err != nil {
			return err
		}

		vm, err := digitalocean.NewDroplet(ctx, "vm", &digitalocean.DropletArgs{
			Image:  pulumi.String("ubuntu-24-04-x64"),
			Size:   pulumi.String(picked),
			Region: pulumi.String(digitalocean.RegionNYC3),
			Tags:   pulumi.ToStringArray(strings.Split(joined, ",")),
		})
		if err != nil {
			return err
		}

		ctx.Export("outputs", pulumi.Map{
			"joined":  pulumi.String(joined),
			"highest": pulumi.Int(highest),
			"pairs":   pulumi.ToStringArray(pairs),
			"numbers": pulumi.ToIntArray(numbers),
			"offset":  pulumi.ToStringArray(offset),
			"only":    pulumi.StringPtrFromPtr(only),
			"split": pet.ID().ApplyT(func(id pulumi.ID) []string {
				return strings.Split(string(id), "-")
			}),
			"length": vm.VolumeIds.ApplyT(func(volumeIds []string) int { return len(volumeIds) }),
			"nameLen": vm.Name.ApplyT(func(name string) int {
				return uniseg.GraphemeClusterCount(name)
			}),
		})
		return nil
	})
}

// numbersFrom lists the integers from start up to, not including, end.
func numbersFrom(start, end int) []int {
	numbers := make([]int, 0, max(0, end-start))
	for n := start; n < end; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// singleOrNone returns the only element of a list, or nil when it is empty.
func singleOrNone[T any](items []T) (*T, error) {
	if len(items) > 1 {
		return nil, fmt.Errorf("expected at most one element, found %d", len(items))
	}
	if len(items) == 0 {
		return nil, nil
	}
	return &items[0], nil
}
