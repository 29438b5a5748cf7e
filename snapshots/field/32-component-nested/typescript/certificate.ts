import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";

export interface CertificateArgs {
    commonName: string;
    validityHours: pulumi.Input<number>;
}

export class Certificate extends pulumi.ComponentResource {
    public readonly privateKey: pulumi.Output<string>;
    public readonly certificate: pulumi.Output<string>;

    constructor(
        name: string,
        args: CertificateArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Certificate", name, args, opts);

        const key = new tls.PrivateKey(
            `${name}-key`,
            {
                algorithm: "ECDSA",
                ecdsaCurve: "P256",
            },
            { parent: this },
        );

        const cert = new tls.SelfSignedCert(
            `${name}-cert`,
            {
                privateKeyPem: key.privateKeyPem,
                validityPeriodHours: args.validityHours,
                allowedUses: ["server_auth", "digital_signature"],
                dnsNames: [args.commonName, `www.${args.commonName}`],
                subject: {
                    commonName: args.commonName,
                    organization: "ACME, Inc.",
                },
            },
            { parent: this },
        );

        this.privateKey = key.privateKeyPem;
        this.certificate = cert.certPem;

        this.registerOutputs({
            privateKey: this.privateKey,
            certificate: this.certificate,
        });
    }
}
