package main

import (
	"maps"
	"reflect"
	"slices"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type siteArgs struct {
	Domain string            `pulumi:"domain"`
	Admins map[string]string `pulumi:"admins"`
}

// SiteArgs are the inputs of Site.
type SiteArgs struct {
	Domain string
	Admins map[string]string
}

func (SiteArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*siteArgs)(nil)).Elem()
}

type Site struct {
	pulumi.ResourceState

	CertificatePem pulumi.StringOutput `pulumi:"certificatePem"`
	Fingerprint    pulumi.StringOutput `pulumi:"fingerprint"`
}

// NewSite registers the component and the resources inside it.
func NewSite(
	ctx *pulumi.Context, name string, args *SiteArgs, opts ...pulumi.ResourceOption,
) (*Site, error) {
	if args == nil {
		args = &SiteArgs{}
	}
	component := &Site{}
	err := ctx.RegisterComponentResourceV2("components:index:Site", name, args, component, opts...)
	if err != nil {
		return nil, err
	}

	tls, err := NewCertificate(ctx, name+"-tls", &CertificateArgs{
		CommonName:    args.Domain,
		ValidityHours: pulumi.Int(24 * 365),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	cert, err := digitalocean.NewCertificate(ctx, name+"-cert", &digitalocean.CertificateArgs{
		Type:            pulumi.String(digitalocean.CertificateTypeCustom),
		PrivateKey:      tls.PrivateKey,
		LeafCertificate: tls.Certificate,
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	check, err := digitalocean.NewUptimeCheck(ctx, name+"-check", &digitalocean.UptimeCheckArgs{
		Target: pulumi.String("https://" + args.Domain),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	emails := make([]string, 0, len(args.Admins))
	for _, key := range slices.Sorted(maps.Keys(args.Admins)) {
		mail := args.Admins[key]
		emails = append(emails, mail)
	}
	_, err = digitalocean.NewUptimeAlert(ctx, name+"-alert", &digitalocean.UptimeAlertArgs{
		CheckId: check.ID(),
		Type:    pulumi.String("ssl_expiry"),
		Period:  pulumi.String("2m"),
		Notifications: digitalocean.UptimeAlertNotificationArray{
			digitalocean.UptimeAlertNotificationArgs{Emails: pulumi.ToStringArray(emails)},
		},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.CertificatePem = tls.Certificate
	component.Fingerprint = cert.Sha1Fingerprint

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"certificatePem": component.CertificatePem,
		"fingerprint":    component.Fingerprint,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
