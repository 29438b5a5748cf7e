package main

import (
	"errors"
	"reflect"

	"github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type certificateArgs struct {
	CommonName    string `pulumi:"commonName"`
	ValidityHours int    `pulumi:"validityHours"`
}

// CertificateArgs are the inputs of Certificate.
type CertificateArgs struct {
	CommonName    string
	ValidityHours pulumi.IntInput
}

func (CertificateArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*certificateArgs)(nil)).Elem()
}

type Certificate struct {
	pulumi.ResourceState

	PrivateKey  pulumi.StringOutput `pulumi:"privateKey"`
	Certificate pulumi.StringOutput `pulumi:"certificate"`
}

// NewCertificate registers the component and the resources inside it.
func NewCertificate(
	ctx *pulumi.Context, name string, args *CertificateArgs, opts ...pulumi.ResourceOption,
) (*Certificate, error) {
	if args == nil {
		args = &CertificateArgs{}
	}
	component := &Certificate{}
	err := ctx.RegisterComponentResourceV2(
		"components:index:Certificate",
		name,
		args,
		component,
		opts...,
	)
	if err != nil {
		return nil, err
	}

	if args.ValidityHours == nil {
		return nil, errors.New("missing required argument \"validityHours\"")
	}

	key, err := tls.NewPrivateKey(ctx, name+"-key", &tls.PrivateKeyArgs{
		Algorithm:  pulumi.String("ECDSA"),
		EcdsaCurve: pulumi.String("P256"),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	cert, err := tls.NewSelfSignedCert(ctx, name+"-cert", &tls.SelfSignedCertArgs{
		PrivateKeyPem:       key.PrivateKeyPem,
		ValidityPeriodHours: args.ValidityHours,
		AllowedUses: pulumi.StringArray{
			pulumi.String("server_auth"),
			pulumi.String("digital_signature"),
		},
		DnsNames: pulumi.StringArray{
			pulumi.String(args.CommonName),
			pulumi.String("www." + args.CommonName),
		},
		Subject: &tls.SelfSignedCertSubjectArgs{
			CommonName:   pulumi.String(args.CommonName),
			Organization: pulumi.String("ACME, Inc."),
		},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.PrivateKey = key.PrivateKeyPem
	component.Certificate = cert.CertPem

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"privateKey":  component.PrivateKey,
		"certificate": component.Certificate,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
