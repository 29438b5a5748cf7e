package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-std/sdk/v2/go/std"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		region, err := cfg.Try("region")
		if err != nil {
			region = "sfo3"
		}

		var anything any
		if text := cfg.Require("anything"); json.Unmarshal([]byte(text), &anything) != nil {
			anything = text
		}

		pools := []string{"s-1vcpu-2gb", "custom-slug"}

		var node []*digitalocean.Droplet
		for i, pool := range pools {
			droplet, err := digitalocean.NewDroplet(ctx, fmt.Sprintf("node-%d", i), &digitalocean.DropletArgs{
				Image:  pulumi.String("ubuntu-24-04-x64"),
				Size:   pulumi.String(pool),
				Region: pulumi.String(region),
			})
			if err != nil {
				return err
			}
			node = append(node, droplet)
		}

		var initialFilesystemType string
		if region == "sfo3" {
			initialFilesystemType = string(digitalocean.FileSystemTypeXFS)
		} else {
			initialFilesystemType = string(digitalocean.FileSystemTypeEXT4)
		}
		volume, err := digitalocean.NewVolume(ctx, "volume", &digitalocean.VolumeArgs{
			Region:                node[0].Region,
			Size:                  pulumi.Int(50),
			InitialFilesystemType: pulumi.String(initialFilesystemType),
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "run", &local.CommandArgs{
			Create: pulumi.String("echo hi"),
			Triggers: pulumi.Array{
				pulumi.Int(1),
				pulumi.String("two"),
				pulumi.Bool(true),
				nil,
				pulumi.Array{volume.ID(), pulumi.Int(4)},
				pulumi.Map{
					"key":  node[1].Name,
					"deep": pulumi.BoolMap{"flag": pulumi.Bool(false)},
				},
				volume.Size,
			},
		})
		if err != nil {
			return err
		}

		stash, err := pulumi.NewStash(ctx, "stash", &pulumi.StashArgs{
			Input: pulumi.Map{
				"list":   pulumi.Array{pulumi.Int(1), pulumi.String("a"), volume.ID()},
				"object": pulumi.Map{"nested": pulumi.Any(anything)},
				"text":   pulumi.String("x"),
			},
		})
		if err != nil {
			return err
		}

		decoded := std.JsondecodeOutput(ctx, std.JsondecodeOutputArgs{
			Input: pulumi.String("{\"a\":{\"b\":[1,2]}}"),
		}).Result()

		viaAny, err := checked(anything, []any{"some", "path"}, "any?", "main.pp:48:11: anything", "config anything (main.pp:5:8)")
		if err != nil {
			return err
		}
		ctx.Export("viaAny", pulumi.Any(viaAny))

		ctx.Export("decoded", decoded)
		ctx.Export("stashed", stash.Output)
		return nil
	})
}

// checked returns the value at the end of a path of what has no type, as the kind that its use needs.
func checked(value any, path []any, kind, used, origin string, secret ...bool) (any, error) {
	at := ""
	for _, key := range path {
		found, position, isNumber := reflect.Indirect(reflect.ValueOf(value)), 0, false
		if number, ok := checkedScalar(key, "int").(int); ok {
			_, isText := key.(string)
			position, isNumber = number, !isText
		}
		switch {
		case found.Kind() == reflect.Map:
			item := found.MapIndex(reflect.ValueOf(fmt.Sprint(key)))
			if !item.IsValid() {
				return nil, checkedError(at, fmt.Sprintf("has no member \"%v\"", key), used, origin)
			}
			value = item.Interface()
		case found.Kind() == reflect.Slice:
			if !isNumber || position < 0 || position >= found.Len() {
				elements := fmt.Sprintf("%d elements", found.Len())
				if found.Len() == 1 {
					elements = "1 element"
				}
				problem := fmt.Sprintf("has %s, and none at %s", elements, checkedStep(key))
				return nil, checkedError(at, problem, used, origin)
			}
			value = found.Index(position).Interface()
		case !found.IsValid():
			return nil, checkedError(at, "is not set", used, origin)
		default:
			wanted := "a list"
			if _, isText := key.(string); isText {
				wanted = "an object"
			}
			problem := fmt.Sprintf("must be %s, and is %s", wanted, checkedWords(value, len(secret) > 0))
			return nil, checkedError(at, problem, used, origin)
		}
		at += checkedStep(key)
	}
	if strings.HasSuffix(kind, "?") && !reflect.Indirect(reflect.ValueOf(value)).IsValid() {
		return nil, nil
	}
	result, at, problem := checkedFit(value, strings.TrimSuffix(kind, "?"), at, len(secret) > 0)
	if problem != "" {
		return nil, checkedError(at, problem, used, origin)
	}
	return result, nil
}

// checkedError tells where a value was used and where it entered the program.
func checkedError(at, problem, used, origin string) error {
	source := ""
	if end := strings.LastIndex(origin, " ("); end >= 0 {
		source = fmt.Sprintf("; it came from %s%s%s", origin[:end], at, origin[end:])
	}
	return fmt.Errorf("%s%s %s%s", used, at, problem, source)
}

// checkedFit returns a value as one of a kind, or where it is not one, and what is wrong there.
func checkedFit(value any, kind, at string, secret bool) (any, string, string) {
	found := reflect.Indirect(reflect.ValueOf(value))
	isList, isObject := found.Kind() == reflect.Slice, found.Kind() == reflect.Map
	inner := kind[strings.Index(kind, "(")+1 : max(len(kind)-1, strings.Index(kind, "(")+1)]
	switch {
	case kind == "any", kind == "sized" && found.Kind() == reflect.String,
		(kind == "collection" || kind == "sized" || kind == "list") && isList,
		(kind == "collection" || kind == "sized" || kind == "object") && isObject:
		return value, at, ""
	case strings.HasPrefix(kind, "list(") && isList:
		items := make([]any, found.Len())
		for i := range items {
			if item := found.Index(i).Interface(); item != nil {
				result, there, problem := checkedFit(item, inner, fmt.Sprintf("%s[%d]", at, i), secret)
				if problem != "" {
					return nil, there, problem
				}
				items[i] = result
			}
		}
		return items, at, ""
	case strings.HasPrefix(kind, "map(") && isObject:
		members := map[string]any{}
		keys := found.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			members[key.String()] = nil
			if item := found.MapIndex(key).Interface(); item != nil {
				result, there, problem := checkedFit(item, inner, at+checkedStep(key.String()), secret)
				if problem != "" {
					return nil, there, problem
				}
				members[key.String()] = result
			}
		}
		return members, at, ""
	}
	if result := checkedScalar(value, kind); result != nil {
		return result, at, ""
	}
	if !found.IsValid() {
		return nil, at, "is not set"
	}
	if strings.HasPrefix(kind, "either(") {
		members := strings.Split(inner, ",")
		own := map[reflect.Kind]string{
			reflect.Bool: "bool", reflect.String: "string", reflect.Slice: "list", reflect.Map: "object",
		}[found.Kind()]
		for _, member := range members {
			isNumber := own == "" && (member == "number" || member == "int")
			if member == own || isNumber && checkedScalar(value, member) != nil {
				return value, at, ""
			}
		}
		for _, member := range members {
			if result := checkedScalar(value, member); result != nil {
				return result, at, ""
			}
		}
	}
	return nil, at, "must be " + checkedKind(kind) + ", and is " + checkedWords(value, secret)
}

// checkedKind returns the words for a kind.
func checkedKind(kind string) string {
	words := map[string]string{
		"int": "an int", "object": "an object", "collection": "a list or a map", "sized": "a string, a list or a map",
	}[kind]
	switch {
	case strings.HasPrefix(kind, "either("):
		members := strings.Split(kind[len("either("):len(kind)-1], ",")
		for i, member := range members {
			members[i] = checkedKind(member)
		}
		last := len(members) - 1
		return strings.Join(members[:last], ", ") + " or " + members[last]
	case strings.HasPrefix(kind, "one of "):
		return `one of "` + strings.ReplaceAll(kind[7:], "|", `", "`) + `"`
	case strings.HasPrefix(kind, "list("):
		return "a list"
	case strings.HasPrefix(kind, "map("):
		return "an object"
	case words != "":
		return words
	default:
		return "a " + kind
	}
}

// checkedScalar returns a value as a scalar of a kind, or nil when it is none.
func checkedScalar(value any, kind string) any {
	found := reflect.Indirect(reflect.ValueOf(value))
	if strings.HasPrefix(kind, "one of ") {
		if text, ok := checkedScalar(value, "string").(string); ok && slices.Contains(strings.Split(kind[7:], "|"), text) {
			return text
		}
		return nil
	}
	number, isNumber := 0.0, true
	switch {
	case found.CanInt():
		number = float64(found.Int())
	case found.CanFloat():
		number = found.Float()
	default:
		isNumber = false
	}
	text, isText := "", found.Kind() == reflect.String
	if isText {
		text = found.String()
	}
	switch {
	case kind == "bool" && found.Kind() == reflect.Bool:
		return found.Bool()
	case kind == "bool" && (text == "true" || text == "false"):
		return text == "true"
	case kind == "string" && isText:
		return text
	case kind == "string" && found.Kind() == reflect.Bool:
		return strconv.FormatBool(found.Bool())
	case kind == "string" && isNumber:
		return strconv.FormatFloat(number, 'f', -1, 64)
	case kind == "int" && isText:
		if parsed, err := strconv.Atoi(text); err == nil {
			return parsed
		}
	case kind == "number" && isText:
		text = strings.TrimSpace(text)
		parsed, err := strconv.ParseFloat(text, 64)
		if err == nil && !strings.ContainsAny(text, "xXpPiInN_") && !strings.HasSuffix(text, ".") {
			return parsed
		}
	case kind == "int" && isNumber && float64(int(number)) == number:
		return int(number)
	case kind == "number" && isNumber:
		return number
	}
	return nil
}

// checkedStep returns the text of a step.
func checkedStep(key any) string {
	text, isText := key.(string)
	switch {
	case isText && regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`).MatchString(text):
		return "." + text
	case isText:
		return `["` + text + `"]`
	case checkedScalar(key, "number") != nil:
		return fmt.Sprintf("[%v]", checkedScalar(key, "string"))
	default:
		return "[?]"
	}
}

// checkedWords describes a value.
func checkedWords(value any, secret bool) string {
	found := reflect.Indirect(reflect.ValueOf(value))
	text := checkedScalar(value, "string")
	switch {
	case !found.IsValid():
		return "null"
	case found.Kind() == reflect.Bool && secret:
		return "a bool"
	case found.Kind() == reflect.Bool:
		return text.(string)
	case found.Kind() == reflect.String && (secret || utf8.RuneCountInString(found.String()) > 40):
		return "a string"
	case found.Kind() == reflect.String:
		return `the string "` + found.String() + `"`
	case text != nil && secret:
		return "a number"
	case text != nil:
		return "the number " + text.(string)
	case found.Kind() == reflect.Slice:
		return "a list"
	case found.Kind() == reflect.Map:
		return "an object"
	default:
		return "a value"
	}
}
