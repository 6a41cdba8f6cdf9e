import { secretsUnder } from "../../src/platform/secrets.ts";

/** The SECRETS_KEY of every process of the tests. */
export const TEST_SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");

export const TEST_SECRETS = secretsUnder([Buffer.from(TEST_SECRETS_KEY, "base64")]);
