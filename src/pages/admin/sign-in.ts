import type { IRouter } from "express";
import { SIGN_IN_LINK_MINUTES } from "../../accounts/sessions/sign-in-links.ts";
import { readFormBody } from "../../api/body.ts";
import { routeForm, routePost } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { clientAddressOf } from "../../platform/http/client.ts";
import {
  closeOperatorSession,
  isOperatorLink,
  openOperatorSession,
  requestOperatorSignIn,
} from "../../watch/operator-sign-in.ts";
import { linkTo } from "../frame/links.ts";
import { field } from "../kit/field.ts";
import { html } from "../kit/html.ts";
import { forAnybody, forOperator, operatorCookie, requireFormToken, sendAdminPage } from "./admin-page.ts";

/** Routes signing in to the operator's page by a link, and signing out. */
export function routeOperatorSignIn(app: IRouter, context: EntryContext): void {
  const address = linkTo(context, "/admin/sign-in");
  routeForm(app, context, "/admin/sign-in", "admin", {
    show: forAnybody(context, async (request, response) => {
      const isSent = request.originalUrl.endsWith("?sent");
      sendAdminPage(context, response, isSent ? linkSent(address) : askForAddress(address));
    }),
    submit: forAnybody(context, async (request, response) => {
      const form = await readFormBody(request);
      const client = clientAddressOf(request, context.config.trustProxyHops);
      await requestOperatorSignIn(context, client, form.get("email") ?? "");
      response.redirect(303, `${address}?sent`);
    }),
  });
  const tokenOf = (request: { params: unknown }) => (request.params as { token: string }).token;
  // Mail scanners open the links in mails. Only the button uses the link.
  routeForm(app, context, "/admin/sign-in/:token", "admin", {
    show: forAnybody(context, async (request, response) => {
      const isUsable = await isOperatorLink(context, tokenOf(request));
      sendAdminPage(context, response, isUsable ? CONFIRM : linkIsOver(address));
    }),
    submit: forAnybody(context, async (request, response) => {
      const token = await openOperatorSession(context, tokenOf(request));
      if (token === null) return sendAdminPage(context, response, linkIsOver(address));
      operatorCookie.set(context, response, token);
      response.redirect(303, linkTo(context, "/admin"));
    }),
  });
  routePost(
    app,
    context,
    "/admin/sign-out",
    "admin",
    forOperator(context, async (request, response, session) => {
      const form = await readFormBody(request);
      if (!requireFormToken(context, response, { form, session })) return;
      await closeOperatorSession(context, operatorCookie.read(context, request) ?? "");
      operatorCookie.clear(context, response);
      response.redirect(303, address);
    }),
  );
}

const askForAddress = (address: string) => ({
  title: "Operator's sign-in",
  body: html`<h1>Operator's sign-in</h1>
<p>This page is for the operator of the service. We mail a link to the address of <code>OPERATOR_EMAIL</code>; it works once, within
${SIGN_IN_LINK_MINUTES} minutes. Without that setting, <code>tdf admin sign-in</code> prints one.</p>
<form class="stack" method="post" action="${address}">
${field({ name: "email", label: "Operator's e-mail address", type: "email", autocomplete: "email", maxLength: 254, isRequired: true, hasFocus: true })}
<button>Mail me a link</button>
</form>`,
});

const linkSent = (address: string) => ({
  title: "Check your mail",
  body: html`<h1>Check your mail</h1>
<p>If the address is the operator's, we have sent a link to it. The link works once, within ${SIGN_IN_LINK_MINUTES} minutes.</p>
<p>No mail? <a href="${address}">Try another address</a>, or run <code>tdf admin sign-in</code>.</p>`,
});

const CONFIRM = {
  title: "Operator's sign-in",
  body: html`<h1>Operator's sign-in</h1>
<form class="stack" method="post">
<button autofocus>Sign in</button>
</form>`,
};

const linkIsOver = (address: string) => ({
  status: 410,
  title: "This link has expired",
  body: html`<h1>This link has expired</h1>
<p>It was already used, or it is older than ${SIGN_IN_LINK_MINUTES} minutes.</p>
<p><a class="button" href="${address}">Ask for a new link</a></p>`,
});
