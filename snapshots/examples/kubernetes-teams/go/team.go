package main

import (
	"errors"
	"reflect"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	networkingv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/networking/v1"
	rbacv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type teamArgs struct {
	Name   string   `pulumi:"name"`
	Cpu    string   `pulumi:"cpu"`
	Memory string   `pulumi:"memory"`
	Admins []string `pulumi:"admins"`
}

// TeamArgs are the inputs of Team.
type TeamArgs struct {
	// The name of the team.
	Name string
	// How many processors its containers may use together.
	Cpu pulumi.StringInput
	// How much memory its containers may use together.
	Memory pulumi.StringInput
	// Users who may change everything in the namespace.
	Admins []string
}

func (TeamArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*teamArgs)(nil)).Elem()
}

type Team struct {
	pulumi.ResourceState

	Namespace pulumi.StringPtrOutput `pulumi:"namespace"`
	Limits    pulumi.StringMapOutput `pulumi:"limits"`
}

// NewTeam registers the component and the resources inside it.
func NewTeam(
	ctx *pulumi.Context, name string, args *TeamArgs, opts ...pulumi.ResourceOption,
) (*Team, error) {
	if args == nil {
		args = &TeamArgs{}
	}
	component := &Team{}
	err := ctx.RegisterComponentResourceV2("components:index:Team", name, args, component, opts...)
	if err != nil {
		return nil, err
	}

	if args.Cpu == nil {
		return nil, errors.New("missing required argument \"cpu\"")
	}

	if args.Memory == nil {
		return nil, errors.New("missing required argument \"memory\"")
	}

	admins := []string{}
	if args.Admins != nil {
		admins = args.Admins
	}

	space, err := corev1.NewNamespace(ctx, name+"-space", &corev1.NamespaceArgs{
		Metadata: &metav1.ObjectMetaArgs{
			Name:   pulumi.String("team-" + args.Name),
			Labels: pulumi.StringMap{"team": pulumi.String(args.Name)},
		},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	quota, err := corev1.NewResourceQuota(ctx, name+"-quota", &corev1.ResourceQuotaArgs{
		Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
		Spec: &corev1.ResourceQuotaSpecArgs{
			Hard: pulumi.StringMap{
				"requests.cpu":    args.Cpu,
				"requests.memory": args.Memory,
				"pods":            pulumi.String("50"),
			},
		},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	_, err = corev1.NewLimitRange(ctx, name+"-defaults", &corev1.LimitRangeArgs{
		Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
		Spec: &corev1.LimitRangeSpecArgs{
			Limits: corev1.LimitRangeItemArray{
				corev1.LimitRangeItemArgs{
					Type:    pulumi.String("Container"),
					Default: pulumi.StringMap{"memory": pulumi.String("256Mi")},
					DefaultRequest: pulumi.StringMap{
						"cpu":    pulumi.String("100m"),
						"memory": pulumi.String("128Mi"),
					},
				},
			},
		},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	_, err = networkingv1.NewNetworkPolicy(ctx, name+"-fence", &networkingv1.NetworkPolicyArgs{
		Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
		Spec: &networkingv1.NetworkPolicySpecArgs{
			PodSelector: &metav1.LabelSelectorArgs{},
			PolicyTypes: pulumi.StringArray{pulumi.String("Ingress")},
			Ingress: networkingv1.NetworkPolicyIngressRuleArray{
				networkingv1.NetworkPolicyIngressRuleArgs{
					From: networkingv1.NetworkPolicyPeerArray{
						networkingv1.NetworkPolicyPeerArgs{
							NamespaceSelector: &metav1.LabelSelectorArgs{
								MatchExpressions: metav1.LabelSelectorRequirementArray{
									metav1.LabelSelectorRequirementArgs{
										Key:      pulumi.String("team"),
										Operator: pulumi.String("In"),
										Values: pulumi.StringArray{
											pulumi.String(args.Name),
											pulumi.String("platform"),
										},
									},
								},
							},
						},
					},
				},
			},
		},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	subjects := make(rbacv1.SubjectArray, 0, len(admins))
	for _, user := range admins {
		subjects = append(subjects, rbacv1.SubjectArgs{
			ApiGroup: pulumi.String("rbac.authorization.k8s.io"),
			Kind:     pulumi.String("User"),
			Name:     pulumi.String(user),
		})
	}
	_, err = rbacv1.NewRoleBinding(ctx, name+"-administration", &rbacv1.RoleBindingArgs{
		Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
		RoleRef: &rbacv1.RoleRefArgs{
			ApiGroup: pulumi.String("rbac.authorization.k8s.io"),
			Kind:     pulumi.String("ClusterRole"),
			Name:     pulumi.String("admin"),
		},
		Subjects: subjects,
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.Namespace = space.Metadata.Name()
	component.Limits = quota.Spec.Hard()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"namespace": component.Namespace,
		"limits":    component.Limits,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
