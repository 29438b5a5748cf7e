// A nightly backup: the job, what it may do, its settings and its password.

package main

import (
	"errors"
	"strings"

	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	rbacv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// When the backup runs, as in crontab.
		schedule, err := cfg.Try("schedule")
		if err != nil {
			schedule = "15 2 * * *"
		}

		// The password of the database.
		password := cfg.RequireSecret("password")

		// What is backed up.
		var databases []string
		if err := cfg.TryObject("databases", &databases); errors.Is(err, config.ErrMissingVar) {
			databases = []string{"orders", "customers"}
		} else if err != nil {
			return err
		}

		space, err := corev1.NewNamespace(ctx, "space", &corev1.NamespaceArgs{
			Metadata: &metav1.ObjectMetaArgs{Name: pulumi.String("backup")},
		})
		if err != nil {
			return err
		}

		settings, err := corev1.NewConfigMap(ctx, "settings", &corev1.ConfigMapArgs{
			Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
			Data: pulumi.StringMap{
				"databases": pulumi.String(strings.Join(databases, " ")),
				"run.sh": pulumi.String(`#!/bin/sh
set -eu
for database in $DATABASES; do
  pg_dump --file "/backup/$database.sql" "$database"
done
`),
			},
		})
		if err != nil {
			return err
		}

		credentials, err := corev1.NewSecret(ctx, "credentials", &corev1.SecretArgs{
			Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
			Type:     pulumi.String("Opaque"),
			StringData: pulumi.StringMap{
				"password": password,
				"url":      pulumi.Sprintf("postgres://backup:%s@database:5432", password),
			},
		})
		if err != nil {
			return err
		}

		account, err := corev1.NewServiceAccount(ctx, "account", &corev1.ServiceAccountArgs{
			Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
		})
		if err != nil {
			return err
		}

		// The job tells how it went in an event.
		reporter, err := rbacv1.NewRole(ctx, "reporter", &rbacv1.RoleArgs{
			Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
			Rules: rbacv1.PolicyRuleArray{
				rbacv1.PolicyRuleArgs{
					ApiGroups: pulumi.StringArray{pulumi.String(""), pulumi.String("events.k8s.io")},
					Resources: pulumi.StringArray{pulumi.String("events")},
					Verbs:     pulumi.StringArray{pulumi.String("create"), pulumi.String("patch")},
				},
			},
		})
		if err != nil {
			return err
		}

		_, err = rbacv1.NewRoleBinding(ctx, "reporting", &rbacv1.RoleBindingArgs{
			Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
			RoleRef: &rbacv1.RoleRefArgs{
				ApiGroup: pulumi.String("rbac.authorization.k8s.io"),
				Kind:     reporter.Kind,
				Name:     reporter.Metadata.Name().Elem(),
			},
			Subjects: rbacv1.SubjectArray{
				rbacv1.SubjectArgs{
					Kind:      account.Kind,
					Name:      account.Metadata.Name().Elem(),
					Namespace: space.Metadata.Name(),
				},
			},
		})
		if err != nil {
			return err
		}

		files, err := corev1.NewPersistentVolumeClaim(ctx, "files", &corev1.PersistentVolumeClaimArgs{
			Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
			Spec: &corev1.PersistentVolumeClaimSpecArgs{
				AccessModes: pulumi.StringArray{pulumi.String("ReadWriteOnce")},
				Resources: &corev1.VolumeResourceRequirementsArgs{
					Requests: pulumi.StringMap{"storage": pulumi.String("20Gi")},
				},
			},
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}

		backup, err := batchv1.NewCronJob(ctx, "backup", &batchv1.CronJobArgs{
			Metadata: &metav1.ObjectMetaArgs{Namespace: space.Metadata.Name()},
			Spec: &batchv1.CronJobSpecArgs{
				Schedule:                   pulumi.String(schedule),
				TimeZone:                   pulumi.String("Etc/UTC"),
				ConcurrencyPolicy:          pulumi.String("Forbid"),
				SuccessfulJobsHistoryLimit: pulumi.Int(3),
				JobTemplate: &batchv1.JobTemplateSpecArgs{
					Spec: &batchv1.JobSpecArgs{
						BackoffLimit: pulumi.Int(2),
						Template: &corev1.PodTemplateSpecArgs{
							Spec: &corev1.PodSpecArgs{
								ServiceAccountName: account.Metadata.Name(),
								RestartPolicy:      pulumi.String("Never"),
								Containers: corev1.ContainerArray{
									corev1.ContainerArgs{
										Name:  pulumi.String("backup"),
										Image: pulumi.String("postgres:16"),
										Command: pulumi.StringArray{
											pulumi.String("sh"),
											pulumi.String("/settings/run.sh"),
										},
										Env: corev1.EnvVarArray{
											corev1.EnvVarArgs{
												Name: pulumi.String("PGPASSWORD"),
												ValueFrom: &corev1.EnvVarSourceArgs{
													SecretKeyRef: &corev1.SecretKeySelectorArgs{
														Name: credentials.Metadata.Name(),
														Key:  pulumi.String("password"),
													},
												},
											},
											corev1.EnvVarArgs{
												Name: pulumi.String("DATABASES"),
												ValueFrom: &corev1.EnvVarSourceArgs{
													ConfigMapKeyRef: &corev1.ConfigMapKeySelectorArgs{
														Name: settings.Metadata.Name(),
														Key:  pulumi.String("databases"),
													},
												},
											},
										},
										VolumeMounts: corev1.VolumeMountArray{
											corev1.VolumeMountArgs{
												Name:      pulumi.String("settings"),
												MountPath: pulumi.String("/settings"),
											},
											corev1.VolumeMountArgs{
												Name:      pulumi.String("backup"),
												MountPath: pulumi.String("/backup"),
											},
										},
									},
								},
								Volumes: corev1.VolumeArray{
									corev1.VolumeArgs{
										Name: pulumi.String("settings"),
										ConfigMap: &corev1.ConfigMapVolumeSourceArgs{
											Name:        settings.Metadata.Name(),
											DefaultMode: pulumi.Int(365),
										},
									},
									corev1.VolumeArgs{
										Name: pulumi.String("backup"),
										PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSourceArgs{
											ClaimName: files.Metadata.Name().Elem(),
										},
									},
								},
							},
						},
					},
				},
			},
		})
		if err != nil {
			return err
		}

		ctx.Export(
			"job",
			pulumi.Sprintf(
				"%s/%s",
				backup.Metadata.Namespace().Elem(),
				backup.Metadata.Name().Elem(),
			),
		)
		return nil
	})
}
