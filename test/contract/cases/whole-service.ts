// The service's answers when no operation matches. Prism has its own answers for these, so the requests bypass it.

import type { ContractCase } from "./contract-cases.ts";
import { WITH_DATA } from "./targets.ts";

const whole = (title: string, path: string, status: number, code: string): ContractCase => ({
  operation: null,
  title,
  path,
  status,
  code,
  isPastPrism: true,
  targets: WITH_DATA,
});

export const wholeServiceCases: ContractCase[] = [
  whole("an unknown path", "/v1/nothing", 404, "not_found"),
  whole("a path outside the API", "/wp-login.php", 404, "not_found"),
  { ...whole("a method the path does not have", "/v1/feeds", 405, "method_not_allowed"), method: "PUT" },
  { ...whole("OPTIONS", "/v1/usage", 405, "method_not_allowed"), method: "OPTIONS" },
  whole("a path that is not percent-encoded", "/v1/carriers/%ZZ", 400, "bad_request"),
  whole("a path that is not UTF-8", "/v1/feeds/%E0%A4%A/records", 400, "bad_request"),
];
