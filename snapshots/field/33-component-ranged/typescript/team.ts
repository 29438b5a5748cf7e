import * as pulumi from "@pulumi/pulumi";
import * as github from "@pulumi/github";

export interface TeamArgs {
    name: pulumi.Input<string>;
    description: pulumi.Input<string>;
    members: string[];
}

export class Team extends pulumi.ComponentResource {
    public readonly slug: pulumi.Output<string>;
    public readonly teamId: pulumi.Output<string>;

    constructor(
        name: string,
        args: TeamArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Team", name, args, opts);

        const team = new github.Team(
            `${name}-team`,
            {
                name: args.name,
                description: args.description,
                privacy: "closed",
            },
            { parent: this },
        );

        const membership: github.TeamMembership[] = [];
        for (const [i, member] of args.members.entries()) {
            membership.push(
                new github.TeamMembership(
                    `${name}-membership-${i}`,
                    {
                        teamId: team.id,
                        username: member,
                        role: "member",
                    },
                    { parent: this },
                ),
            );
        }

        this.slug = team.slug;
        this.teamId = team.id;

        this.registerOutputs({ slug: this.slug, teamId: this.teamId });
    }
}
