import type { Response } from "express";
import { requireApiAccess } from "../../../accounts/keys/api-access.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { DAY_MS } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { noSuchEndpoint } from "../../../webhooks/endpoints/endpoints.ts";
import { countReplay, type Replayed, replay } from "../../../webhooks/replay/replay.ts";
import {
  type AskedReplay,
  LONGEST_REPLAY_DAYS,
  REPLAY_KINDS,
  type ReplayRefusal,
} from "../../../webhooks/replay/replay-range.ts";
import type { Mistake } from "../../kit/field.ts";
import type { Routes } from "../dashboard.ts";
import { sendPage } from "../layout.ts";
import { fieldOf, instantOf, NOT_A_TIME, NOT_AFTER, queryOf } from "../parts/form-fields.ts";
import { noteOf, redirectWithNote } from "../parts/shown-once.ts";
import { isPaused } from "./deliveries.ts";
import { type ReplayPage, replayLink, replayPage, type TypedRange, wrongRange } from "./replay-parts.ts";
import { endpointWithHealth, idOf } from "./webhooks.ts";

const HERE = "/webhooks";
/** A step looks at some thousand events; so many keep a request to a few seconds. */
const STEPS_IN_A_REQUEST = 10;

/** Replaying a range: a page that counts its deliveries and changes nothing, and a change that sends them. */
export const replayRoutes: Routes = (router, context, guard) => {
  router.get(
    "/webhooks/:id/replay",
    guard(async (request, response, session) => {
      const typed = typedRange((name) => queryOf(request).get(name) ?? "");
      const head = await endpointWithHealth(context, session, idOf(request.params.id));
      const send = (page: Partial<ReplayPage>) =>
        sendReplay(context, response, session, { ...head, typed, ...page });
      if (typed.from === "" && typed.to === "") return send({});
      const asked = askedBy(session, head.endpoint.id, typed);
      if (Array.isArray(asked)) return send({ mistakes: asked });
      const done = await noteOf<Replayed>(context, request);
      if (done !== null && done !== "gone") return send({ done });
      send({ count: accepted(await countReplay(context, asked)) });
    }),
  );
  router.post(
    "/webhooks/:id/replay",
    guard(async (request, response, session) => {
      const typed = typedRange((name) => fieldOf(request, name));
      const head = await endpointWithHealth(context, session, idOf(request.params.id));
      const asked = askedBy(session, head.endpoint.id, typed);
      if (Array.isArray(asked)) {
        return sendReplay(context, response, session, { ...head, typed, mistakes: asked });
      }
      requireApiAccess(head.plan);
      // A replay that is confirmed twice continues where it was and sends nothing twice.
      const resumed = { ...startedAt(fieldOf(request, "started_at")), ...after(fieldOf(request, "after")) };
      const options = { mostSteps: STEPS_IN_A_REQUEST };
      const note = accepted(await replay(context, { ...asked, ...resumed }, options));
      const address = replayLink(context, head.endpoint, typed);
      await redirectWithNote(context, request, response, { address, note });
    }),
  );
};

const typedRange = (of: (name: string) => string): TypedRange => ({
  from: of("from"),
  to: of("to"),
  delivered: of("delivered") === "true",
});

/** The requested replay, or what is wrong with its range. */
function askedBy({ accountId }: Session, endpointId: number, typed: TypedRange): AskedReplay | Mistake[] {
  const [from, to] = [instantOf(typed.from), instantOf(typed.to)];
  if (from === null || to === null) {
    return [
      ...(from === null ? [wrongRange("from", NOT_A_TIME)] : []),
      ...(to === null ? [wrongRange("to", NOT_A_TIME)] : []),
    ];
  }
  if (from >= to) return [wrongRange("to", NOT_AFTER)];
  if (to.getTime() - from.getTime() > LONGEST_REPLAY_DAYS * DAY_MS) {
    return [wrongRange("to", `Choose a range of at most ${LONGEST_REPLAY_DAYS} days.`)];
  }
  return { endpointId, accountId, from, to, ...(typed.delivered && { kinds: REPLAY_KINDS }) };
}

function accepted<Result extends object>(result: Result | ReplayRefusal): Result {
  if (result === "not_found") throw noSuchEndpoint();
  if (result === "paused") throw isPaused();
  return result;
}

function sendReplay(context: EntryContext, response: Response, session: Session, page: ReplayPage): void {
  const body = replayPage(context, session, page);
  const status = page.mistakes === undefined ? 200 : 400;
  sendPage(context, response, { title: "Replay", status, body, session, here: HERE });
}

function startedAt(text: string): { startedAt?: Date } {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? {} : { startedAt: instant };
}

const after = (text: string): { after?: number } => (/^\d{1,15}$/.test(text) ? { after: Number(text) } : {});
