import { inject } from "vitest";
import { generate } from "../../../test/support/registry/generated-registry.ts";

interface Options {
  carriers: number;
  days: number;
  seed?: number;
  firstDay?: string;
  differences?: boolean;
}

/** The folder of a registry: a shared one (shared-registries.ts), or one that is made now. */
export async function registryOf(options: Options): Promise<string> {
  const isShared = (options.seed ?? 1) === 1 && options.firstDay === undefined;
  const shared = isShared ? inject("sharedRegistries")[options.carriers] : undefined;
  return shared ?? generate(options);
}
