import { noSuchEndpoint } from "../../webhooks/endpoints.ts";
import { countReplay, replay } from "../../webhooks/replay.ts";
import type { AskedReplay } from "../../webhooks/replay-range.ts";
import type { Routes } from "../dashboard.ts";
import { fieldOf } from "../form-fields.ts";
import { sendPage } from "../layout.ts";
import { instantOf } from "../utc-field.ts";
import { isPaused } from "./deliveries.ts";
import { replayPage, type TypedRange } from "./replay-parts.ts";
import { endpointOf, idOf } from "./webhooks.ts";

const HERE = "/webhooks";
const DAY_MS = 86_400_000;
/** Counting takes in the whole range at once. */
const LONGEST_RANGE_DAYS = 31;
/** A step looks at some thousand events; so many keep a request to a few seconds. */
const STEPS_IN_A_REQUEST = 10;

/** Replaying a range: first how many deliveries it has, then sending them. */
export const replayRoutes: Routes = (router, context, guard) => {
  router.post(
    "/webhooks/:id/replay",
    guard(async (request, response, session) => {
      const endpoint = await endpointOf(context, session, idOf(request.params.id));
      const typed: TypedRange = {
        from: fieldOf(request, "from"),
        to: fieldOf(request, "to"),
        delivered: fieldOf(request, "delivered") === "true",
      };
      const send = (page: Parameters<typeof replayPage>[3], status = 200) => {
        const body = replayPage(context, session, endpoint, page);
        sendPage(context, response, { title: "Replay", status, body, session, here: HERE });
      };
      const [from, to] = [instantOf(typed.from), instantOf(typed.to)];
      if (from === null || to === null || from >= to) {
        return send({ typed, wrong: "Give two times of UTC, the first before the second." }, 400);
      }
      if (to.getTime() - from.getTime() > LONGEST_RANGE_DAYS * DAY_MS) {
        return send({ typed, wrong: `Give a range of at most ${LONGEST_RANGE_DAYS} days.` }, 400);
      }
      const asked: AskedReplay = {
        ...{ endpointId: endpoint.id, accountId: session.accountId, from, to },
        includesDelivered: typed.delivered,
      };
      if (fieldOf(request, "confirmed") !== "true") {
        const count = await countReplay(context, asked);
        if (count === "not_found") throw noSuchEndpoint();
        if (count === "paused") throw isPaused();
        return send({ typed, count });
      }
      const resumed = { ...startedAt(fieldOf(request, "started_at")), ...after(fieldOf(request, "after")) };
      const done = await replay(context, { ...asked, ...resumed }, { mostSteps: STEPS_IN_A_REQUEST });
      if (done === "not_found") throw noSuchEndpoint();
      if (done === "paused") throw isPaused();
      send({ typed, done });
    }),
  );
};

// A replay that is confirmed twice goes on where it was, and sends nothing twice.
function startedAt(text: string): { startedAt?: Date } {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? {} : { startedAt: instant };
}

const after = (text: string): { after?: number } => (/^\d{1,15}$/.test(text) ? { after: Number(text) } : {});
