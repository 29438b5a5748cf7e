import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import { Certificate } from "./certificate";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

export interface SiteArgs {
    domain: string;
    admins: Record<string, string>;
}

export class Site extends pulumi.ComponentResource {
    public readonly certificatePem: pulumi.Output<string>;
    public readonly fingerprint: pulumi.Output<string>;

    constructor(
        name: string,
        args: SiteArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Site", name, args, opts);

        const tlsComponent = new Certificate(
            `${name}-tls`,
            {
                commonName: args.domain,
                validityHours: 24 * 365,
            },
            { parent: this },
        );

        const cert = new digitalocean.Certificate(
            `${name}-cert`,
            {
                type: digitalocean.CertificateType.Custom,
                privateKey: tlsComponent.privateKey,
                leafCertificate: tlsComponent.certificate,
            },
            { parent: this },
        );

        const check = new digitalocean.UptimeCheck(
            `${name}-check`,
            { target: `https://${args.domain}` },
            { parent: this },
        );

        const alert = new digitalocean.UptimeAlert(
            `${name}-alert`,
            {
                checkId: check.id,
                type: "ssl_expiry",
                period: "2m",
                notifications: [
                    {
                        emails: sortedEntries(args.admins).map(
                            ([, mail]) => mail,
                        ),
                    },
                ],
            },
            { parent: this },
        );

        this.certificatePem = tlsComponent.certificate;
        this.fingerprint = cert.sha1Fingerprint;

        this.registerOutputs({
            certificatePem: this.certificatePem,
            fingerprint: this.fingerprint,
        });
    }
}
