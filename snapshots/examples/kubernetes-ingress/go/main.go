// One entrance for several services, with its certificate.

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	networkingv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/networking/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Service struct {
	Path  string `json:"path" pulumi:"path"`
	Image string `json:"image" pulumi:"image"`
	Port  int    `json:"port" pulumi:"port"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// The domain of all services.
		domain := cfg.Require("domain")

		// The services by name.
		var services map[string]Service
		if err := cfg.TryObject("services", &services); errors.Is(err, config.ErrMissingVar) {
			services = map[string]Service{
				"shop": {
					Path:  "/",
					Image: "registry.example.com/shop:4",
					Port:  3000,
				},
				"api": {
					Path:  "/api",
					Image: "registry.example.com/api:17",
					Port:  8080,
				},
			}
		} else if err != nil {
			return err
		}
		var givenServices map[string]map[string]any
		cfg.GetObject("services", &givenServices)
		for _, key := range slices.Sorted(maps.Keys(givenServices)) {
			place := fmt.Sprintf("main.pp:7:8: services.%s", key)
			if err := requireMembers(givenServices[key], place, "path", "image", "port"); err != nil {
				return err
			}
		}

		// The certificate of the domain, in PEM.
		certificate := cfg.Require("certificate")

		// The key of the certificate, in PEM.
		privateKey := cfg.RequireSecret("privateKey")

		for _, key := range slices.Sorted(maps.Keys(services)) {
			service := services[key]
			_, err := appsv1.NewDeployment(ctx, fmt.Sprintf("workload-%s", key), &appsv1.DeploymentArgs{
				Metadata: &metav1.ObjectMetaArgs{Name: pulumi.String(key)},
				Spec: &appsv1.DeploymentSpecArgs{
					Selector: &metav1.LabelSelectorArgs{
						MatchLabels: pulumi.StringMap{"app": pulumi.String(key)},
					},
					Template: &corev1.PodTemplateSpecArgs{
						Metadata: &metav1.ObjectMetaArgs{
							Labels: pulumi.StringMap{"app": pulumi.String(key)},
						},
						Spec: &corev1.PodSpecArgs{
							Containers: corev1.ContainerArray{
								corev1.ContainerArgs{
									Name:  pulumi.String(key),
									Image: pulumi.String(service.Image),
									Ports: corev1.ContainerPortArray{
										corev1.ContainerPortArgs{
											ContainerPort: pulumi.Int(service.Port),
										},
									},
									SecurityContext: &corev1.SecurityContextArgs{
										RunAsNonRoot:             pulumi.Bool(true),
										AllowPrivilegeEscalation: pulumi.Bool(false),
										Capabilities: &corev1.CapabilitiesArgs{
											Drop: pulumi.StringArray{pulumi.String("ALL")},
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
		}

		endpoint := map[string]*corev1.Service{}
		for _, key := range slices.Sorted(maps.Keys(services)) {
			service := services[key]
			service2, err := corev1.NewService(ctx, fmt.Sprintf("endpoint-%s", key), &corev1.ServiceArgs{
				Metadata: &metav1.ObjectMetaArgs{Name: pulumi.String(key)},
				Spec: &corev1.ServiceSpecArgs{
					Selector: pulumi.StringMap{"app": pulumi.String(key)},
					Ports: corev1.ServicePortArray{
						corev1.ServicePortArgs{
							Port:       pulumi.Int(80),
							TargetPort: pulumi.Int(service.Port),
							Protocol:   pulumi.String("TCP"),
						},
					},
				},
			})
			if err != nil {
				return err
			}
			endpoint[key] = service2
		}

		pair, err := corev1.NewSecret(ctx, "pair", &corev1.SecretArgs{
			Type: pulumi.String("kubernetes.io/tls"),
			StringData: pulumi.StringMap{
				"tls.crt": pulumi.String(certificate),
				"tls.key": privateKey,
			},
		})
		if err != nil {
			return err
		}

		paths := make(networkingv1.HTTPIngressPathArray, 0, len(services))
		for _, name := range slices.Sorted(maps.Keys(services)) {
			service := services[name]
			paths = append(paths, networkingv1.HTTPIngressPathArgs{
				Path:     pulumi.String(service.Path),
				PathType: pulumi.String("Prefix"),
				Backend: &networkingv1.IngressBackendArgs{
					Service: &networkingv1.IngressServiceBackendArgs{
						Name: pulumi.String(name),
						Port: &networkingv1.ServiceBackendPortArgs{Number: pulumi.Int(80)},
					},
				},
			})
		}
		var dependsOn []pulumi.Resource
		for _, key := range slices.Sorted(maps.Keys(endpoint)) {
			dependsOn = append(dependsOn, endpoint[key])
		}
		entrance, err := networkingv1.NewIngress(ctx, "entrance", &networkingv1.IngressArgs{
			Metadata: &metav1.ObjectMetaArgs{
				Annotations: pulumi.StringMap{
					"nginx.ingress.kubernetes.io/ssl-redirect": pulumi.String("true"),
				},
			},
			Spec: &networkingv1.IngressSpecArgs{
				IngressClassName: pulumi.String("nginx"),
				Tls: networkingv1.IngressTLSArray{
					networkingv1.IngressTLSArgs{
						Hosts:      pulumi.StringArray{pulumi.String(domain)},
						SecretName: pair.Metadata.Name(),
					},
				},
				Rules: networkingv1.IngressRuleArray{
					networkingv1.IngressRuleArgs{
						Host: pulumi.String(domain),
						Http: &networkingv1.HTTPIngressRuleValueArgs{Paths: paths},
					},
				},
			},
		}, pulumi.DependsOn(dependsOn))
		if err != nil {
			return err
		}

		ctx.Export("url", pulumi.Sprintf("https://%s/", domain))
		ctx.Export("address", entrance.Status.ApplyT(func(status *networkingv1.IngressStatus) (*string, error) {
			return firstOf(
				func() (*string, error) {
					address, err := itemAt(status.LoadBalancer.Ingress, 0)
					if err != nil {
						return nil, err
					}
					return address.Ip, nil
				},
				func() (*string, error) { return pulumi.StringRef("pending"), nil },
			)
		}))
		return nil
	})
}
