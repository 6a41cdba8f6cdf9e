import { setTimeout as delay } from "node:timers/promises";
import type { Connection, Retry } from "./call.ts";
import { errorOf } from "./error-of.ts";
import { createClient } from "./generated/operations/client/index.ts";
import { VERSION } from "./generated/version.ts";
import { checkOptions, type OptionNames } from "./options.ts";

/** How to reach the service. */
export interface ClientOptions {
  /** A key of the account, `tdf_live_…`, created in the dashboard. */
  apiKey: string;
  /** The service's address, for example `https://api.example.com`, without `/v1`. */
  baseUrl: string;
  /** Your program's name and version. It goes before the SDK's own in the header `User-Agent`. */
  userAgent?: string;
  /** How long one attempt may take, in milliseconds; 30,000 unless given. */
  timeoutMs?: number;
  /** How often a call is made again after a temporary error; 3 unless given, 0 for never. */
  maxRetries?: number;
  /** The longest wait before a retry; 120 unless given. When the service asks for a longer one, the call fails at once. */
  maxRetryWaitSeconds?: number;
  /** Is called before each wait for a retry, for your log. */
  onRetry?: (retry: Retry) => void;
  /** Takes the place of the global `fetch`, for example to use a proxy. */
  fetch?: typeof fetch;
  /** Takes the place of waiting, for your tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const CLIENT_OPTIONS: OptionNames<ClientOptions> = {
  apiKey: true,
  baseUrl: true,
  userAgent: true,
  timeoutMs: true,
  maxRetries: true,
  maxRetryWaitSeconds: true,
  onRetry: true,
  fetch: true,
  sleep: true,
};

/** How these options reach the service. Throws a TypeError for an option that has no place in it. */
export function connectionOf(options: ClientOptions): Connection {
  checkOptions(options, CLIENT_OPTIONS);
  const { apiKey, userAgent, fetch } = options;
  if (!/^[!-~]+$/.test(apiKey.trim())) {
    throw new TypeError("apiKey is empty, or no key. Give createClient a key of your account.");
  }
  const client = createClient({
    auth: apiKey.trim(),
    baseUrl: checkedBaseUrl(options.baseUrl),
    headers: { "User-Agent": [userAgent, `trucking-data-feed-sdk/${VERSION}`].filter(Boolean).join(" ") },
    // fetch would send the key to the host that a redirect names.
    redirect: "manual",
    parseAs: "json",
    ...(fetch && { fetch }),
  });
  client.interceptors.error.use((error, response) => errorOf(error, response));
  return {
    client,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 3,
    maxRetryWaitSeconds: options.maxRetryWaitSeconds ?? 120,
    onRetry: options.onRetry ?? (() => {}),
    sleep: options.sleep ?? ((ms, signal) => delay(ms, undefined, signal && { signal })),
  };
}

function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `baseUrl is no address: ${baseUrl}. Give createClient one like https://api.example.com.`,
    );
  }
  if (/\/v1\/?$/.test(url.pathname)) throw new TypeError(`Leave /v1 out of baseUrl: ${baseUrl}.`);
  return baseUrl.replace(/\/+$/, "");
}
