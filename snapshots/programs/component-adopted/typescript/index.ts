import * as pulumi from "@pulumi/pulumi";
import { Part } from "./part";

// A component with options that SDKs name for custom resources.
const part = new Part("part", { label: "l" }, {
    protect: true,
    import: "existing",
    deleteBeforeReplace: true,
    additionalSecretOutputs: ["label"],
} as pulumi.CustomResourceOptions);

export const label = part.shown;
