import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import { requireApiAccess } from "../../../accounts/keys/api-access.ts";
import { deleteEndpoint } from "../../../webhooks/endpoints/delete.ts";
import { readEndpoints } from "../../../webhooks/endpoints/endpoints.ts";
import { updateEndpoint } from "../../../webhooks/endpoints/update.ts";
import { dashboardLink } from "../../frame/links.ts";
import type { Routes } from "../dashboard.ts";
import { sendPage } from "../layout.ts";
import { refusalOf, requireFitting, type TypedEndpoint, typedEndpoint } from "../parts/endpoint-form.ts";
import { confirmDeleting, editPage } from "./webhook-parts.ts";
import { endpointOf, idOf } from "./webhooks.ts";

const HERE = "/webhooks";

/** Routes editing and deleting an endpoint. */
export const endpointChangeRoutes: Routes = (router, context, guard) => {
  const editing = async (
    session: Parameters<typeof endpointOf>[1],
    id: number,
    sent?: { typed: TypedEndpoint; wrong: string; status: number },
  ) => {
    const endpoint = await endpointOf(context, session, id);
    const caller = await callerOfAccount(context, session.accountId);
    const { available_event_types: availableTypes } = await readEndpoints(context, caller);
    const { url, description, event_types: eventTypes } = endpoint;
    const typed = { url, description: description ?? "", eventTypes };
    const body = editPage(context, session, { endpoint, availableTypes, typed, ...sent });
    return { title: "Edit the endpoint", status: sent?.status ?? 200, body, session, here: HERE };
  };
  router.get(
    "/webhooks/:id/edit",
    guard(async (request, response, session) => {
      const id = idOf(request.params.id);
      const page = await editing(session, id);
      requireApiAccess(await callerOfAccount(context, session.accountId));
      sendPage(context, response, page);
    }),
  );
  router.post(
    "/webhooks/:id/edit",
    guard(async (request, response, session) => {
      const [id, typed] = [idOf(request.params.id), typedEndpoint(request)];
      const caller = await callerOfAccount(context, session.accountId);
      await endpointOf(context, session, id);
      try {
        await updateEndpoint(context, caller, id, requireFitting(typed));
      } catch (error) {
        const { status, detail: wrong } = refusalOf(error);
        return sendPage(context, response, await editing(session, id, { typed, wrong, status }));
      }
      response.redirect(303, dashboardLink(context, `${HERE}/${id}`));
    }),
  );
  router.get(
    "/webhooks/:id/delete",
    guard(async (request, response, session) => {
      const endpoint = await endpointOf(context, session, idOf(request.params.id));
      const body = confirmDeleting(context, session, endpoint);
      sendPage(context, response, { title: "Delete the endpoint", body, session, here: HERE });
    }),
  );
  router.post(
    "/webhooks/:id/delete",
    guard(async (request, response, session) => {
      await deleteEndpoint(context, session.accountId, idOf(request.params.id));
      response.redirect(303, dashboardLink(context, HERE));
    }),
  );
};
