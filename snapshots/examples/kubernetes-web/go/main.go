// A web server: its configuration, the deployment, a service in front of it, and more copies when it is busy.

package main

import (
	"errors"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	autoscalingv2 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/autoscaling/v2"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// The image of the web server.
		image, err := cfg.Try("image")
		if err != nil {
			image = "nginx:1.27"
		}

		// How many copies run at least.
		replicas, err := cfg.TryInt("replicas")
		if errors.Is(err, config.ErrMissingVar) {
			replicas = 2
		} else if err != nil {
			return err
		}

		// Whether a load balancer of the cloud stands in front.
		public, err := cfg.TryBool("public")
		if err != nil && !errors.Is(err, config.ErrMissingVar) {
			return err
		}

		labels := map[string]string{
			"app.kubernetes.io/name":       "web",
			"app.kubernetes.io/managed-by": "pulumi",
		}

		settings, err := corev1.NewConfigMap(ctx, "settings", &corev1.ConfigMapArgs{
			Metadata: &metav1.ObjectMetaArgs{Labels: pulumi.ToStringMap(labels)},
			Data: pulumi.StringMap{
				"default.conf": pulumi.String(`server {
  listen 8080;
  location /healthz { return 204; }
  location / { root /usr/share/nginx/html; }
}
`),
			},
		})
		if err != nil {
			return err
		}

		web, err := appsv1.NewDeployment(ctx, "web", &appsv1.DeploymentArgs{
			Metadata: &metav1.ObjectMetaArgs{
				Labels:      pulumi.ToStringMap(labels),
				Annotations: pulumi.StringMap{"pulumi.com/skipAwait": pulumi.String("false")},
			},
			Spec: &appsv1.DeploymentSpecArgs{
				Replicas: pulumi.Int(replicas),
				Selector: &metav1.LabelSelectorArgs{MatchLabels: pulumi.ToStringMap(labels)},
				Strategy: &appsv1.DeploymentStrategyArgs{
					Type: pulumi.String("RollingUpdate"),
					RollingUpdate: &appsv1.RollingUpdateDeploymentArgs{
						MaxSurge:       pulumi.Int(1),
						MaxUnavailable: pulumi.String("25%"),
					},
				},
				Template: &corev1.PodTemplateSpecArgs{
					Metadata: &metav1.ObjectMetaArgs{Labels: pulumi.ToStringMap(labels)},
					Spec: &corev1.PodSpecArgs{
						Containers: corev1.ContainerArray{
							corev1.ContainerArgs{
								Name:  pulumi.String("web"),
								Image: pulumi.String(image),
								Ports: corev1.ContainerPortArray{
									corev1.ContainerPortArgs{
										Name:          pulumi.String("http"),
										ContainerPort: pulumi.Int(8080),
									},
								},
								Resources: &corev1.ResourceRequirementsArgs{
									Requests: pulumi.StringMap{
										"cpu":    pulumi.String("50m"),
										"memory": pulumi.String("64Mi"),
									},
									Limits: pulumi.StringMap{"memory": pulumi.String("128Mi")},
								},
								ReadinessProbe: &corev1.ProbeArgs{
									HttpGet: &corev1.HTTPGetActionArgs{
										Path: pulumi.String("/healthz"),
										Port: pulumi.String("http"),
									},
									PeriodSeconds: pulumi.Int(5),
								},
								LivenessProbe: &corev1.ProbeArgs{
									TcpSocket:           &corev1.TCPSocketActionArgs{Port: pulumi.Int(8080)},
									InitialDelaySeconds: pulumi.Int(10),
								},
								VolumeMounts: corev1.VolumeMountArray{
									corev1.VolumeMountArgs{
										Name:      pulumi.String("settings"),
										MountPath: pulumi.String("/etc/nginx/conf.d"),
										ReadOnly:  pulumi.Bool(true),
									},
								},
							},
						},
						Volumes: corev1.VolumeArray{
							corev1.VolumeArgs{
								Name: pulumi.String("settings"),
								ConfigMap: &corev1.ConfigMapVolumeSourceArgs{
									Name: settings.Metadata.Name(),
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

		type_ := "ClusterIP"
		if public {
			type_ = "LoadBalancer"
		}
		front, err := corev1.NewService(ctx, "front", &corev1.ServiceArgs{
			Metadata: &metav1.ObjectMetaArgs{Labels: web.Metadata.Labels()},
			Spec: &corev1.ServiceSpecArgs{
				Type:     pulumi.String(type_),
				Selector: pulumi.ToStringMap(labels),
				Ports: corev1.ServicePortArray{
					corev1.ServicePortArgs{
						Name:       pulumi.String("http"),
						Port:       pulumi.Int(80),
						TargetPort: pulumi.String("http"),
					},
				},
			},
		})
		if err != nil {
			return err
		}

		_, err = autoscalingv2.NewHorizontalPodAutoscaler(ctx, "scaling", &autoscalingv2.HorizontalPodAutoscalerArgs{
			Spec: &autoscalingv2.HorizontalPodAutoscalerSpecArgs{
				MinReplicas: pulumi.Int(replicas),
				MaxReplicas: pulumi.Int(10 * replicas),
				ScaleTargetRef: &autoscalingv2.CrossVersionObjectReferenceArgs{
					ApiVersion: web.ApiVersion,
					Kind:       web.Kind,
					Name:       web.Metadata.Name().Elem(),
				},
				Metrics: autoscalingv2.MetricSpecArray{
					autoscalingv2.MetricSpecArgs{
						Type: pulumi.String("Resource"),
						Resource: &autoscalingv2.ResourceMetricSourceArgs{
							Name: pulumi.String("cpu"),
							Target: &autoscalingv2.MetricTargetArgs{
								Type:               pulumi.String("Utilization"),
								AverageUtilization: pulumi.Int(70),
							},
						},
					},
				},
			},
		})
		if err != nil {
			return err
		}

		var address pulumi.Input
		if public {
			address = front.Status.LoadBalancer().Ingress().Index(pulumi.Int(0)).Hostname()
		} else {
			address = front.Spec.ClusterIP()
		}
		ctx.Export("address", address)

		ctx.Export("deployment", web.Metadata.Name())
		return nil
	})
}
