import * as pulumi from "@pulumi/pulumi";
import * as github from "@pulumi/github";
import * as tls from "@pulumi/tls";

export interface ServiceArgs {
    serviceName: pulumi.Input<string>;
    template: pulumi.Input<string>;
}

export class Service extends pulumi.ComponentResource {
    public readonly cloneUrl: pulumi.Output<string>;
    public readonly deployKey: pulumi.Output<string>;

    constructor(
        name: string,
        args: ServiceArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Service", name, args, opts);

        const repo = new github.Repository(
            `${name}-repo`,
            {
                name: args.serviceName,
                visibility: "private",
                template: {
                    owner: "acme",
                    repository: args.template,
                },
            },
            { parent: this },
        );

        const key = new tls.PrivateKey(
            `${name}-key`,
            { algorithm: "ED25519" },
            { parent: this },
        );

        const deploy = new github.RepositoryDeployKey(
            `${name}-deploy`,
            {
                repository: repo.name,
                title: "deploy",
                key: key.publicKeyOpenssh,
                readOnly: true,
            },
            { parent: this },
        );

        this.cloneUrl = repo.sshCloneUrl;
        this.deployKey = key.privateKeyOpenssh;

        this.registerOutputs({
            cloneUrl: this.cloneUrl,
            deployKey: this.deployKey,
        });
    }
}
