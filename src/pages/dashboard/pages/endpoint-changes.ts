import { callerOfAccount, requireApiAccess } from "../../../accounts/keys/caller.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { listNames } from "../../../watchlists/watchlists.ts";
import type { WebhookIn } from "../../../webhooks/endpoints/asked-endpoint.ts";
import { deleteEndpoint } from "../../../webhooks/endpoints/pause-or-delete.ts";
import { rotateSecret } from "../../../webhooks/endpoints/rotate.ts";
import { updateEndpoint } from "../../../webhooks/endpoints/update.ts";
import { dashboardLink } from "../../frame/links.ts";
import type { Html } from "../../kit/html.ts";
import { sendPage } from "../dashboard-page.ts";
import { addressAfter, doneToast, redirectWithNote } from "../parts/after-action.ts";
import { shownMarkOf } from "../parts/confirm.ts";
import { type RefusedEndpoint, savedBy } from "../parts/endpoint-form.ts";
import { fieldOf } from "../parts/form-fields.ts";
import type { Routes } from "../signed-in.ts";
import { confirmDeleting, confirmRotating, overlapOf, settingsPage } from "./endpoint-parts.ts";
import { endpointOf, endpointWithHealth, idOf, type NewSecret } from "./webhooks.ts";

const HERE = "/webhooks";

/** Routes the settings of an endpoint: editing and deleting it, and rotating its secret. */
export const endpointChangeRoutes: Routes = (pages, context) => {
  const here = dashboardLink(context, HERE);
  pages.get("/webhooks/:id/edit", async (request, response, session) => {
    const top = doneToast(request);
    const body = await settings(context, session, idOf(request.params.id), { top, refused: null });
    sendPage(context, response, { title: "Settings of the endpoint", body, session, here: HERE });
  });
  pages.post("/webhooks/:id/edit", "change endpoints", async (request, response, session) => {
    const id = idOf(request.params.id);
    const { plan, endpoint } = await endpointOf(context, session, id);
    const save = async (asked: WebhookIn) => {
      await updateEndpoint(context, { ...plan, person: session.person }, id, asked);
    };
    const refused = await savedBy(context, request, save, endpoint.url);
    if (refused === null) return response.redirect(303, addressAfter(`${here}/${id}/edit`, "saved"));
    const body = await settings(context, session, id, { top: null, refused });
    const { status } = refused;
    sendPage(context, response, { title: "Settings of the endpoint", status, body, session, here: HERE });
  });
  pages.question("/webhooks/:id/rotate", "change endpoints", async (request, response, session) => {
    const { endpoint } = await endpointOf(context, session, idOf(request.params.id));
    const body = confirmRotating(context, session, endpoint);
    sendPage(context, response, { title: "Rotate the secret", body, session, here: HERE });
  });
  pages.post("/webhooks/:id/rotate", "change endpoints", async (request, response, session) => {
    requireApiAccess(await callerOfAccount(context, session.accountId));
    const {
      id,
      secret,
      previous_secret_valid_until: previousUntil = null,
    } = await rotateSecret(
      context,
      session.accountId,
      idOf(request.params.id),
      { overlap_seconds: overlapOf(fieldOf(request, "overlap")) },
      { person: session.person, shownMark: shownMarkOf(request) },
    );
    const note: NewSecret = { title: "The new secret", id, secret, previousUntil };
    await redirectWithNote(context, request, response, { address: `${here}/${id}`, note });
  });
  pages.question("/webhooks/:id/delete", "delete endpoints", async (request, response, session) => {
    const { endpoint } = await endpointOf(context, session, idOf(request.params.id));
    const body = confirmDeleting(context, session, endpoint);
    sendPage(context, response, { title: "Delete the endpoint", body, session, here: HERE });
  });
  pages.post("/webhooks/:id/delete", "delete endpoints", async (request, response, session) => {
    await deleteEndpoint(context, session.accountId, idOf(request.params.id), session);
    response.redirect(303, addressAfter(here, "deleted"));
  });
};

async function settings(
  context: EntryContext,
  session: Session,
  id: number,
  parts: { top: Html | null; refused: RefusedEndpoint | null },
): Promise<Html> {
  const found = await endpointWithHealth(context, session, id);
  const lists = await listNames(context, session.accountId);
  return settingsPage(context, session, { ...found, lists, ...parts });
}
