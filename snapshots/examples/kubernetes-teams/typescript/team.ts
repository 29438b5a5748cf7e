import * as pulumi from "@pulumi/pulumi";
import * as kubernetes from "@pulumi/kubernetes";

export interface TeamArgs {
    /** The name of the team. */
    name: string;
    /** How many processors its containers may use together. */
    cpu: pulumi.Input<string>;
    /** How much memory its containers may use together. */
    memory: pulumi.Input<string>;
    /** Users who may change everything in the namespace. */
    admins?: string[];
}

export class Team extends pulumi.ComponentResource {
    public readonly namespace: pulumi.Output<string | undefined>;
    public readonly limits: pulumi.Output<Record<string, string> | undefined>;

    constructor(
        name: string,
        args: TeamArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Team", name, args, opts);

        const admins = args.admins ?? [];

        const space = new kubernetes.core.v1.Namespace(
            `${name}-space`,
            {
                metadata: {
                    name: `team-${args.name}`,
                    labels: { team: args.name },
                },
            },
            { parent: this },
        );

        const quota = new kubernetes.core.v1.ResourceQuota(
            `${name}-quota`,
            {
                metadata: { namespace: space.metadata.name },
                spec: {
                    hard: {
                        "requests.cpu": args.cpu,
                        "requests.memory": args.memory,
                        pods: "50",
                    },
                },
            },
            { parent: this },
        );

        const defaults = new kubernetes.core.v1.LimitRange(
            `${name}-defaults`,
            {
                metadata: { namespace: space.metadata.name },
                spec: {
                    limits: [
                        {
                            type: "Container",
                            default: { memory: "256Mi" },
                            defaultRequest: { cpu: "100m", memory: "128Mi" },
                        },
                    ],
                },
            },
            { parent: this },
        );

        const fence = new kubernetes.networking.v1.NetworkPolicy(
            `${name}-fence`,
            {
                metadata: { namespace: space.metadata.name },
                spec: {
                    podSelector: {},
                    policyTypes: ["Ingress"],
                    ingress: [
                        {
                            from: [
                                {
                                    namespaceSelector: {
                                        matchExpressions: [
                                            {
                                                key: "team",
                                                operator: "In",
                                                values: [args.name, "platform"],
                                            },
                                        ],
                                    },
                                },
                            ],
                        },
                    ],
                },
            },
            { parent: this },
        );

        const administration = new kubernetes.rbac.v1.RoleBinding(
            `${name}-administration`,
            {
                metadata: { namespace: space.metadata.name },
                roleRef: {
                    apiGroup: "rbac.authorization.k8s.io",
                    kind: "ClusterRole",
                    name: "admin",
                },
                subjects: admins.map((user) => ({
                    apiGroup: "rbac.authorization.k8s.io",
                    kind: "User",
                    name: user,
                })),
            },
            { parent: this },
        );

        this.namespace = space.metadata.name;
        this.limits = quota.spec.hard;

        this.registerOutputs({
            namespace: this.namespace,
            limits: this.limits,
        });
    }
}
