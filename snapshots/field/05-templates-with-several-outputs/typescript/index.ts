import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";

const db = new digitalocean.DatabaseCluster("db", {
    engine: "mysql",
    nodeCount: 1,
    region: digitalocean.Region.LON1,
    size: digitalocean.DatabaseSlug.DB_1VPCU2GB,
});

const app = new digitalocean.DatabaseUser("app", {
    clusterId: db.id,
    name: "app",
});

const schema = new digitalocean.DatabaseDb("schema", {
    clusterId: db.id,
    name: pulumi.interpolate`${app.name}_production`,
});

const migrate = new command.local.Command("migrate", {
    create: pulumi.interpolate`migrate -database 'mysql://${app.name}:${app.password}@tcp(${db.host}:${db.port})/${schema.name}' up`,
    delete: pulumi.interpolate`echo ${db.host}`,
    environment: {
        DSN: pulumi.interpolate`${app.name}:${app.password}@${db.host}`,
    },
});

export const connection = pulumi.interpolate`mysql://${app.name}@${db.host}:${db.port}/${schema.name}?ssl=true`;
export const greeting = db.engine;
