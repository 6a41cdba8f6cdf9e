import { signInLink } from "../../src/accounts/sessions/sign-in-links.ts";
import type { TestService } from "./service.ts";

/** The text of a page, and its status. */
interface Seen {
  status: number;
  text: string;
  /** The path of the page that was shown in the end. */
  path: string;
}

/** A person who is signed in and whose browser runs no script. */
export interface Visitor {
  open(path: string, headers?: Record<string, string>): Promise<Seen>;
  /** The same with its body unread. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a form of the dashboard with the session's token, as a browser does, and follows the redirect. */
  send(path: string, form: Record<string, string> | FormData): Promise<Seen>;
  /** Sends it with this token and these headers, and follows no redirect. */
  post(path: string, body: URLSearchParams | FormData, headers?: Record<string, string>): Promise<Response>;
}

/** Signs in an account's first owner, or the person with this address, by the link that a mail would have. */
export async function visitorOf(
  { url, context }: TestService,
  accountId: number,
  email?: string,
): Promise<Visitor> {
  const { pathname } = new URL(await signInLink(context, accountId, email));
  return visitorBy(url, pathname);
}

/** Signs in by the link of a mail. */
export async function visitorBy(url: string, pathname: string): Promise<Visitor> {
  const entered = await fetch(url + pathname, { method: "POST", redirect: "manual" });
  const Cookie = (entered.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/dashboard${path}`, { headers: { Cookie, ...headers } });
  const open = async (path: string, headers: Record<string, string> = {}): Promise<Seen> => {
    const answer = await get(path, headers);
    return { status: answer.status, text: await answer.text(), path };
  };
  const token = /name="form_token" value="([^"]+)"/.exec((await open("")).text)?.[1] ?? "";
  const post = (path: string, body: URLSearchParams | FormData, headers: Record<string, string> = {}) =>
    fetch(`${url}/dashboard${path}`, {
      method: "POST",
      redirect: "manual",
      body,
      headers: { Cookie, ...headers },
    });
  return {
    open,
    get,
    post,
    send: async (path, form) => {
      const body = form instanceof FormData ? form : new URLSearchParams(form);
      body.set("form_token", token);
      const answer = await post(path, body);
      const location = answer.headers.get("location");
      if (location === null) return { status: answer.status, text: await answer.text(), path };
      return open(location.replace(/^(https?:\/\/[^/]+)?\/dashboard/, ""));
    },
  };
}
