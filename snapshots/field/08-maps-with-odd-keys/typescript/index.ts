import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const environment = config.get("environment") ?? "staging";

const keyName = "computed";

const id = new random.RandomId("id", {
    byteLength: 8,
    keepers: {
        "app.kubernetes.io/name": "shop",
        "with space": "1",
        "dash-key": "2",
        'quote"inside': "3",
        "123": "4",
        class: "5",
        "": "6",
        ünïcode: "7",
        snake_key: "8",
        camelKey: "9",
        [`${environment}/suffix`]: "10",
        [keyName]: "11",
    },
});

const object = new digitalocean.SpacesBucketObject("object", {
    bucket: "assets",
    key: "index.html",
    region: "nyc3",
    content: "<html></html>",
    metadata: {
        "x-amz-meta-owner": "web-team",
        "Cache.Control": "none",
        $weird: "yes",
    },
});

export const owner = object.metadata.apply(
    (metadata) => metadata?.["x-amz-meta-owner"],
);

export const mapOut = {
    "first-key": id.hex,
    "second.key": id.dec,
    thirdKey: { "nested key": id.b64Url },
};
