package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		db, err := digitalocean.NewDatabaseCluster(ctx, "db", &digitalocean.DatabaseClusterArgs{
			Engine:    pulumi.String("mysql"),
			NodeCount: pulumi.Int(1),
			Region:    pulumi.String(digitalocean.RegionLON1),
			Size:      pulumi.String(digitalocean.DatabaseSlug_DB_1VPCU2GB),
		})
		if err != nil {
			return err
		}

		app, err := digitalocean.NewDatabaseUser(ctx, "app", &digitalocean.DatabaseUserArgs{
			ClusterId: db.ID(),
			Name:      pulumi.String("app"),
		})
		if err != nil {
			return err
		}

		schema, err := digitalocean.NewDatabaseDb(ctx, "schema", &digitalocean.DatabaseDbArgs{
			ClusterId: db.ID(),
			Name:      pulumi.Sprintf("%s_production", app.Name),
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "migrate", &local.CommandArgs{
			Create: pulumi.Sprintf(
				"migrate -database 'mysql://%s:%s@tcp(%s:%d)/%s' up",
				app.Name,
				app.Password,
				db.Host,
				db.Port,
				schema.Name,
			),
			Delete: pulumi.Sprintf("echo %s", db.Host),
			Environment: pulumi.StringMap{
				"DSN": pulumi.Sprintf("%s:%s@%s", app.Name, app.Password, db.Host),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export(
			"connection",
			pulumi.Sprintf("mysql://%s@%s:%d/%s?ssl=true", app.Name, db.Host, db.Port, schema.Name),
		)
		ctx.Export("greeting", db.Engine)
		return nil
	})
}
