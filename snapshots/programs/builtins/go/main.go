// The functions that every program has.

package main

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/rivo/uniseg"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var names []string
		if err := cfg.TryObject("names", &names); errors.Is(err, config.ErrMissingVar) {
			names = []string{"a", "b"}
		} else if err != nil {
			return err
		}

		var tags map[string]string
		if err := cfg.TryObject("tags", &tags); errors.Is(err, config.ErrMissingVar) {
			tags = map[string]string{"a": "1"}
		} else if err != nil {
			return err
		}

		count, err := cfg.TryInt("count")
		if errors.Is(err, config.ErrMissingVar) {
			count = 3
		} else if err != nil {
			return err
		}

		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: pulumi.String(strings.Join(names, ", ")),
		})
		if err != nil {
			return err
		}

		list, err := singleOrNone([]string{"only"})
		if err != nil {
			return err
		}
		ctx.Export("lists", pulumi.Array{
			pulumi.String(element(names, count)),
			pulumi.Int(len(names)),
			pulumi.ToStringArray(strings.Split("a,b", ",")),
			pulumi.ToIntArray(numbersFrom(0, 3)),
			pulumi.ToIntArray(numbersFrom(1, count)),
			pulumi.StringPtrFromPtr(list),
		})

		map_, ok := tags["a"]
		if !ok {
			map_ = "none"
		}
		map_2 := []map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(tags)) {
			value := tags[key]
			map_2 = append(map_2, map[string]string{
				"key":   key,
				"value": value,
			})
		}
		ctx.Export("maps", pulumi.Array{
			pulumi.String(map_),
			pulumi.Int(len(tags)),
			pulumi.ToStringMapArray(map_2),
		})

		ctx.Export("numbers", pulumi.IntArray{
			pulumi.Int(max(1, count, 2)),
			pulumi.Int(min(count, 4)),
		})

		textJSON, err := json.Marshal(map[string]any{
			"b": names,
			"a": count,
		})
		if err != nil {
			return err
		}
		textBytes, err := base64.StdEncoding.DecodeString("aGk=")
		if err != nil {
			return err
		}
		ctx.Export("texts", pulumi.Array{
			pulumi.String(string(textJSON)),
			pulumi.String(base64.StdEncoding.EncodeToString([]byte("hi"))),
			pulumi.String(string(textBytes)),
			pulumi.String(fmt.Sprintf("%x", sha1.Sum([]byte("hi")))),
			pulumi.Int(uniseg.GraphemeClusterCount("héllo")),
		})

		fileBytes, err := os.ReadFile("a.txt")
		if err != nil {
			return err
		}
		fileBytes2, err := os.ReadFile("b.bin")
		if err != nil {
			return err
		}
		fileBytes3, err := os.ReadFile("b.bin")
		if err != nil {
			return err
		}
		fileSum := sha256.Sum256(fileBytes3)
		ctx.Export("files", pulumi.StringArray{
			pulumi.String(string(fileBytes)),
			pulumi.String(base64.StdEncoding.EncodeToString(fileBytes2)),
			pulumi.String(base64.StdEncoding.EncodeToString(fileSum[:])),
		})

		cwd, err := os.Getwd()
		if err != nil {
			return err
		}
		ctx.Export("surroundings", pulumi.StringArray{
			pulumi.String(ctx.Stack()),
			pulumi.String(ctx.Project()),
			pulumi.String(ctx.Organization()),
			pulumi.String(cwd),
			pulumi.String(ctx.RootDirectory()),
		})

		ctx.Export("eventual", pulumi.Array{
			thing.Names.ApplyT(func(value []string) string { return strings.Join(value, "-") }),
			thing.List.ApplyT(func(value []probe.Item) int { return len(value) }),
			thing.Out.ApplyT(func(out string) []string { return strings.Split(out, ",") }),
			thing.Names.ApplyT(func(value []string) string { return value[0] }),
		})
		ctx.Export("eventualJson", pulumi.JSONMarshal(map[string]any{
			"name":  thing.Out,
			"tags":  thing.Tags,
			"fixed": []any{1, true, nil},
		}))
		ctx.Export("about", pulumi.StringArray{
			pulumi.String(thing.PulumiResourceType()),
			pulumi.String(thing.PulumiResourceName()),
		})
		return nil
	})
}

// element returns the element at an index that counts around the list, backwards when it is negative.
func element[T any](list []T, index int) T {
	return list[(index%len(list)+len(list))%len(list)]
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
