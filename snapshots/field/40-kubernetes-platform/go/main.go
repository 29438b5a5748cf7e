package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi-std/sdk/v2/go/std"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type NodePool struct {
	Size string `json:"size" pulumi:"size"`
	Min  int    `json:"min" pulumi:"min"`
	Max  int    `json:"max" pulumi:"max"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// A platform: network, cluster, database, registry, DNS and CI wiring.
		region, err := cfg.Try("region")
		if err != nil {
			region = "fra1"
		}

		var nodePools map[string]NodePool
		if err := cfg.TryObject("nodePools", &nodePools); errors.Is(err, config.ErrMissingVar) {
			nodePools = map[string]NodePool{
				"general": {
					Size: "s-2vcpu-4gb",
					Min:  1,
					Max:  3,
				},
				"batch": {
					Size: "s-4vcpu-8gb",
					Min:  0,
					Max:  5,
				},
			}
		} else if err != nil {
			return err
		}
		var givenNodePools map[string]map[string]any
		cfg.GetObject("nodePools", &givenNodePools)
		for _, key := range slices.Sorted(maps.Keys(givenNodePools)) {
			place := fmt.Sprintf("main.pp:6:8: nodePools.%s", key)
			if err := requireMembers(givenNodePools[key], place, "size", "min", "max"); err != nil {
				return err
			}
		}

		environment := ctx.Stack()
		commonTags := pulumi.StringArray{pulumi.String(environment), pulumi.String(ctx.Project())}

		vpc, err := digitalocean.NewVpc(ctx, "vpc", &digitalocean.VpcArgs{
			Name:   pulumi.String("platform-" + environment),
			Region: pulumi.String(region),
			IpRange: std.CidrsubnetOutput(ctx, std.CidrsubnetOutputArgs{
				Input:   pulumi.String("10.0.0.0/8"),
				Newbits: pulumi.Int(8),
				Netnum:  pulumi.Int(10),
			}).Result(),
		})
		if err != nil {
			return err
		}

		versions := digitalocean.GetKubernetesVersionsOutput(ctx, digitalocean.GetKubernetesVersionsOutputArgs{
			VersionPrefix: pulumi.String("1.31."),
		})

		nodeCount := 1
		if environment == "prod" {
			nodeCount = 3
		}
		cluster, err := digitalocean.NewKubernetesCluster(ctx, "cluster", &digitalocean.KubernetesClusterArgs{
			Region:  pulumi.String(region),
			Version: versions.LatestVersion(),
			VpcUuid: vpc.ID(),
			Ha:      pulumi.Bool(environment == "prod"),
			Tags:    commonTags,
			NodePool: &digitalocean.KubernetesClusterNodePoolArgs{
				Name:      pulumi.String("system"),
				Size:      pulumi.String("s-2vcpu-2gb"),
				NodeCount: pulumi.Int(nodeCount),
			},
		}, pulumi.IgnoreChanges([]string{"version"}))
		if err != nil {
			return err
		}

		pool := map[string]*digitalocean.KubernetesNodePool{}
		for _, key := range slices.Sorted(maps.Keys(nodePools)) {
			nodePool := nodePools[key]
			kubernetesNodePool, err := digitalocean.NewKubernetesNodePool(
				ctx,
				fmt.Sprintf("pool-%s", key),
				&digitalocean.KubernetesNodePoolArgs{
					ClusterId: cluster.ID(),
					Name:      pulumi.String(key + "-pool"),
					Size:      pulumi.String(nodePool.Size),
					AutoScale: pulumi.Bool(true),
					MinNodes:  pulumi.Int(nodePool.Min),
					MaxNodes:  pulumi.Int(nodePool.Max),
					Labels:    pulumi.StringMap{"platform/pool": pulumi.String(key)},
				},
			)
			if err != nil {
				return err
			}
			pool[key] = kubernetesNodePool
		}

		nodeCount2 := 1
		if environment == "prod" {
			nodeCount2 = 2
		}
		db, err := digitalocean.NewDatabaseCluster(ctx, "db", &digitalocean.DatabaseClusterArgs{
			Engine:             pulumi.String("pg"),
			Version:            pulumi.String("16"),
			NodeCount:          pulumi.Int(nodeCount2),
			Region:             pulumi.String(region),
			Size:               pulumi.String(digitalocean.DatabaseSlug_DB_1VPCU2GB),
			PrivateNetworkUuid: vpc.ID(),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}

		_, err = digitalocean.NewDatabaseFirewall(ctx, "rules", &digitalocean.DatabaseFirewallArgs{
			ClusterId: db.ID(),
			Rules: digitalocean.DatabaseFirewallRuleArray{
				digitalocean.DatabaseFirewallRuleArgs{
					Type:  pulumi.String("k8s"),
					Value: cluster.ID(),
				},
				digitalocean.DatabaseFirewallRuleArgs{
					Type:  pulumi.String("ip_addr"),
					Value: pulumi.String("203.0.113.9"),
				},
			},
		})
		if err != nil {
			return err
		}

		// CI wiring and stack outputs
		_, err = github.NewActionsSecret(ctx, "kubeconfig", &github.ActionsSecretArgs{
			Repository: pulumi.String("platform"),
			SecretName: pulumi.String("KUBECONFIG"),
			Value:      cluster.KubeConfigs.Index(pulumi.Int(0)).RawConfig(),
		})
		if err != nil {
			return err
		}

		ctx.Export("clusterEndpoint", cluster.Endpoint)
		ctx.Export(
			"databaseUri",
			pulumi.ToSecret(pulumi.Sprintf(
				"postgres://%s:%s@%s:%d/%s",
				db.User,
				db.Password,
				db.PrivateHost,
				db.Port,
				db.Database,
			)),
		)
		ctx.Export("batchPool", pool["batch"].ID())

		pools := pulumi.IntMap{}
		for k, p := range pool {
			pools[k] = p.ActualNodeCount
		}
		ctx.Export("pools", pools)
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
