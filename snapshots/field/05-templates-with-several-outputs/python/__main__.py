import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean

db = digitalocean.DatabaseCluster(
    "db",
    engine="mysql",
    node_count=1,
    region=digitalocean.Region.LON1,
    size=digitalocean.DatabaseSlug.D_B_1_VPCU2_GB,
)

app = digitalocean.DatabaseUser("app", cluster_id=db.id, name="app")

schema = digitalocean.DatabaseDb(
    "schema", cluster_id=db.id, name=pulumi.Output.format("{0}_production", app.name)
)

migrate = command.local.Command(
    "migrate",
    create=pulumi.Output.format(
        "migrate -database 'mysql://{0}:{1}@tcp({2}:{3})/{4}' up",
        app.name,
        app.password,
        db.host,
        db.port,
        schema.name,
    ),
    delete=pulumi.Output.format("echo {0}", db.host),
    environment={
        "DSN": pulumi.Output.format("{0}:{1}@{2}", app.name, app.password, db.host)
    },
)

pulumi.export(
    "connection",
    pulumi.Output.format(
        "mysql://{0}@{1}:{2}/{3}?ssl=true", app.name, db.host, db.port, schema.name
    ),
)

pulumi.export("greeting", db.engine)
