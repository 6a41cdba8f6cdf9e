import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { answerError } from "../problem-answer.ts";

/** A name or an address, with an optional port. Empty when the request target has no host (RFC 9112, section 3.2). */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/**
 * Refuses a request without a Host header or with several: a proxy in front might read another host than we do. Only
 * HTTP/1.0 may leave it out.
 */
export const requireHost =
  (context: EntryContext): RequestHandler =>
  (request, response, next) => {
    const mistake = mistakeIn(request);
    if (mistake === null) return next();
    response.setHeader("Connection", "close");
    answerError(context, response, new ProblemError("bad_request", mistake));
  };

function mistakeIn({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  // `headers` holds only the first of several.
  const hosts = rawHeaders.filter((_text, index) => index % 2 === 1 && isHost(rawHeaders[index - 1]));
  if (hosts.length > 1) return "The request has the header Host more than once.";
  const [host] = hosts;
  if (host === undefined) return httpVersion === "1.1" ? "The request has no header Host." : null;
  return HOST.test(host) ? null : "The header Host is not a valid name or address.";
}

const isHost = (name = ""): boolean => name.length === 4 && name.toLowerCase() === "host";
