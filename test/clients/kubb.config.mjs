import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
import { pluginZod } from "@kubb/plugin-zod";

export default defineConfig({
  input: { path: "../../openapi.yaml" },
  output: {
    path: "generated/kubb",
    barrelType: false,
    format: false,
    lint: false,
    extension: { ".ts": ".ts" },
  },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: "types.ts" } }),
    pluginZod({ output: { path: "zod.ts" } }),
    pluginClient({ output: { path: "client.ts" }, client: "fetch", parser: "zod" }),
  ],
});
