import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { CONTRACT_FILE } from "./contract-document.ts";

export interface PrismServer {
  url: string;
  close(): Promise<void>;
}

/** Prism answering from the contract's examples, as `npm run mock` does. */
export const startMock = (): Promise<PrismServer> =>
  start({ isProxy: false, validateRequest: true, checkSecurity: true });

/**
 * Prism in front of a service: it forwards everything and reports errors of the answers in the header `sl-violations`.
 * It judges by openapi.yaml, or by another contract.
 */
export const startProxy = (upstream: string, contract?: object): Promise<PrismServer> =>
  start(
    { isProxy: true, upstream: new URL(upstream), validateRequest: false, checkSecurity: false },
    contract,
  );

type Config = Parameters<typeof createServer>[1]["config"];
type Mode =
  | { isProxy: false; validateRequest: boolean; checkSecurity: boolean }
  | { isProxy: true; upstream: URL; validateRequest: boolean; checkSecurity: boolean };

async function start(mode: Mode, contract: string | object = CONTRACT_FILE): Promise<PrismServer> {
  const config = {
    validateResponse: true,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false },
    ...mode,
  } as Config;
  const server = createServer(await getHttpOperationsFromSpec(contract), {
    // A plain pino logger lacks Prism's own levels, and every request would hang.
    components: { logger: createLogger("prism", { level: "silent" }) },
    cors: false,
    config,
  });
  const url = await server.listen(0, "127.0.0.1");
  return { url, close: () => server.close() };
}

/** The errors that Prism found in the service's answer. */
export function violationsOf(headers: Headers): string[] {
  const found = JSON.parse(headers.get("sl-violations") ?? "[]") as { location: string[]; message: string }[];
  return found
    .filter(({ location }) => location[0] === "response")
    .map(({ location, message }) => `${location.join(".")}: ${message}`);
}
