// A database with its own disks, and a chart that watches it.

package main

import (
	"encoding/base64"
	"errors"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	policyv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/policy/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// How many servers there are.
		replicas, err := cfg.TryInt("replicas")
		if errors.Is(err, config.ErrMissingVar) {
			replicas = 3
		} else if err != nil {
			return err
		}

		// The size of each disk.
		storage, err := cfg.Try("storage")
		if err != nil {
			storage = "10Gi"
		}

		// Whether the exporter of metrics is installed.
		monitoring, err := cfg.TryBool("monitoring")
		if errors.Is(err, config.ErrMissingVar) {
			monitoring = true
		} else if err != nil {
			return err
		}

		// The password of the database's owner.
		password := cfg.RequireSecret("password")

		labels := map[string]string{"app": "database"}

		credentials, err := corev1.NewSecret(ctx, "credentials", &corev1.SecretArgs{
			Metadata: &metav1.ObjectMetaArgs{Labels: pulumi.ToStringMap(labels)},
			Data: pulumi.StringMap{
				"password": password.ApplyT(func(value string) string {
					return base64.StdEncoding.EncodeToString([]byte(value))
				}).(pulumi.StringOutput),
			},
		})
		if err != nil {
			return err
		}

		// Has no address of its own: it gives every server a name.
		names, err := corev1.NewService(ctx, "names", &corev1.ServiceArgs{
			Metadata: &metav1.ObjectMetaArgs{Labels: pulumi.ToStringMap(labels)},
			Spec: &corev1.ServiceSpecArgs{
				ClusterIP: pulumi.String("None"),
				Selector:  pulumi.ToStringMap(labels),
				Ports: corev1.ServicePortArray{
					corev1.ServicePortArgs{
						Name: pulumi.String("sql"),
						Port: pulumi.Int(5432),
					},
				},
			},
		})
		if err != nil {
			return err
		}

		servers, err := appsv1.NewStatefulSet(ctx, "servers", &appsv1.StatefulSetArgs{
			Metadata: &metav1.ObjectMetaArgs{Labels: pulumi.ToStringMap(labels)},
			Spec: &appsv1.StatefulSetSpecArgs{
				ServiceName:         names.Metadata.Name().Elem(),
				Replicas:            pulumi.Int(replicas),
				PodManagementPolicy: pulumi.String("OrderedReady"),
				Selector:            &metav1.LabelSelectorArgs{MatchLabels: pulumi.ToStringMap(labels)},
				Template: &corev1.PodTemplateSpecArgs{
					Metadata: &metav1.ObjectMetaArgs{Labels: pulumi.ToStringMap(labels)},
					Spec: &corev1.PodSpecArgs{
						TerminationGracePeriodSeconds: pulumi.Int(60),
						Affinity: &corev1.AffinityArgs{
							PodAntiAffinity: &corev1.PodAntiAffinityArgs{
								PreferredDuringSchedulingIgnoredDuringExecution: corev1.WeightedPodAffinityTermArray{
									corev1.WeightedPodAffinityTermArgs{
										Weight: pulumi.Int(100),
										PodAffinityTerm: &corev1.PodAffinityTermArgs{
											TopologyKey: pulumi.String("kubernetes.io/hostname"),
											LabelSelector: &metav1.LabelSelectorArgs{
												MatchLabels: pulumi.ToStringMap(labels),
											},
										},
									},
								},
							},
						},
						Containers: corev1.ContainerArray{
							corev1.ContainerArgs{
								Name:  pulumi.String("postgres"),
								Image: pulumi.String("postgres:16"),
								Ports: corev1.ContainerPortArray{
									corev1.ContainerPortArgs{
										Name:          pulumi.String("sql"),
										ContainerPort: pulumi.Int(5432),
									},
								},
								Env: corev1.EnvVarArray{
									corev1.EnvVarArgs{
										Name:  pulumi.String("PGDATA"),
										Value: pulumi.String("/data/postgres"),
									},
									corev1.EnvVarArgs{
										Name: pulumi.String("POSTGRES_PASSWORD"),
										ValueFrom: &corev1.EnvVarSourceArgs{
											SecretKeyRef: &corev1.SecretKeySelectorArgs{
												Name: credentials.Metadata.Name(),
												Key:  pulumi.String("password"),
											},
										},
									},
								},
								ReadinessProbe: &corev1.ProbeArgs{
									Exec: &corev1.ExecActionArgs{
										Command: pulumi.StringArray{
											pulumi.String("pg_isready"),
											pulumi.String("--username"),
											pulumi.String("postgres"),
										},
									},
								},
								VolumeMounts: corev1.VolumeMountArray{
									corev1.VolumeMountArgs{
										Name:      pulumi.String("data"),
										MountPath: pulumi.String("/data"),
									},
								},
							},
						},
					},
				},
				VolumeClaimTemplates: corev1.PersistentVolumeClaimTypeArray{
					corev1.PersistentVolumeClaimTypeArgs{
						Metadata: &metav1.ObjectMetaArgs{Name: pulumi.String("data")},
						Spec: &corev1.PersistentVolumeClaimSpecArgs{
							AccessModes: pulumi.StringArray{pulumi.String("ReadWriteOnce")},
							Resources: &corev1.VolumeResourceRequirementsArgs{
								Requests: pulumi.StringMap{"storage": pulumi.String(storage)},
							},
						},
					},
				},
			},
		}, pulumi.IgnoreChanges([]string{"spec.replicas"}))
		if err != nil {
			return err
		}

		_, err = policyv1.NewPodDisruptionBudget(ctx, "budget", &policyv1.PodDisruptionBudgetArgs{
			Spec: &policyv1.PodDisruptionBudgetSpecArgs{
				MinAvailable: pulumi.Int(replicas - 1),
				Selector:     &metav1.LabelSelectorArgs{MatchLabels: pulumi.ToStringMap(labels)},
			},
		})
		if err != nil {
			return err
		}

		if monitoring {
			_, err = helmv4.NewChart(ctx, "exporter", &helmv4.ChartArgs{
				Chart:   pulumi.String("prometheus-postgres-exporter"),
				Version: pulumi.String("6.10.2"),
				RepositoryOpts: &helmv4.RepositoryOptsArgs{
					Repo: pulumi.String("https://prometheus-community.github.io/helm-charts"),
				},
				Values: pulumi.Map{
					"config": pulumi.MapMap{
						"datasource": pulumi.Map{
							"host": names.Metadata.Name(),
							"user": pulumi.String("postgres"),
						},
					},
					"serviceMonitor": pulumi.BoolMap{"enabled": pulumi.Bool(true)},
				},
			}, pulumi.DependsOn([]pulumi.Resource{servers}))
			if err != nil {
				return err
			}
		}

		ctx.Export("service", names.Metadata.Name())

		items := []int{0, 1, 2}
		hosts := pulumi.StringArray{}
		for _, i := range items {
			if i < replicas {
				hosts = append(
					hosts,
					pulumi.Sprintf(
						"%s-%d.%s",
						servers.Metadata.Name().Elem(),
						i,
						names.Metadata.Name().Elem(),
					),
				)
			}
		}
		ctx.Export("hosts", hosts)
		return nil
	})
}
