import type { Request, Response } from "express";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { InvalidRequestError } from "../../../../platform/http/invalid-request.ts";
import { ProblemError } from "../../../../platform/http/problem.ts";
import { shownCount } from "../../../../platform/plural.ts";
import { addCarriers, MOST_NUMBERS, removeCarriers } from "../../../../watchlists/watched-carriers.ts";
import {
  createList,
  deleteList,
  listNames,
  readList,
  updateList,
} from "../../../../watchlists/watchlists.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { sendPage } from "../../dashboard-page.ts";
import { addressAfter, doneToast, noteOf, redirectWithNote } from "../../parts/after-action.ts";
import { fieldOf, queryOf } from "../../parts/form-fields.ts";
import { readUpload } from "../../parts/upload.ts";
import { savedList, typedList } from "../../parts/watchlists/list-fields.ts";
import { numbersInFile, numbersInText, type TypedNumbers } from "../../parts/watchlists/typed-numbers.ts";
import { NEW_LIST, WATCH_PART } from "../../parts/watchlists/watch-form.ts";
import { outcomeNotice, outcomeOf, type WatchOutcome } from "../../parts/watchlists/watch-outcome.ts";
import { problemOf } from "../../problem-page.ts";
import { callerOf, type Routes } from "../../signed-in.ts";
import { confirmDeleting, type ListParts, listPage } from "./list-page.ts";

const HERE = "/watchlists";

/** Routes the page of a list: its carriers and changes, adding and removing carriers, renaming and deleting the list. */
export const watchlistCarrierRoutes: Routes = (pages, context) => {
  const here = dashboardLink(context, HERE);
  pages.get("/watchlists/:id", async (request, response, session) => {
    const note = await noteOf<WatchOutcome>(context, request);
    const outcome = note === "gone" ? null : note;
    const top = outcome ? outcomeNotice(context, session, outcome) : doneToast(request);
    await send(context, request, response, session, { top });
  });
  pages.post(
    "/watchlists/:id",
    "change watchlists",
    (request, response, session) => addTyped(context, request, response, session),
    readUpload,
  );
  pages.get("/watchlists/:id/edit", (request, response) => {
    response.redirect(303, `${here}/${idOf(request)}`);
  });
  pages.post("/watchlists/:id/edit", "change watchlists", async (request, response, session) => {
    const typed = typedList(request);
    const save = { name: typed.name, description: typed.description || null };
    const mistakes = await savedList(typed, () =>
      updateList(context, session.accountId, idOf(request), save, session),
    );
    if (mistakes.length === 0)
      return response.redirect(303, addressAfter(`${here}/${idOf(request)}`, "list-saved"));
    await send(context, request, response, session, { status: 422, renamed: { typed, mistakes } });
  });
  pages.post("/watchlists/:id/remove", "change watchlists", async (request, response, session) => {
    const [id, usdot] = [idOf(request), fieldOf(request, "usdot")];
    const caller = await callerOf(context, session);
    // A removal knows no carrier that is not on the list, which the title says of the one here.
    const changed = {
      ...(await removeCarriers(context, { caller, watchlistId: id }, { usdots: [usdot] })),
      unknown: [],
    };
    const isFromCarrier = fieldOf(request, "from") === "carrier" && /^\d{1,8}$/.test(usdot);
    const address = isFromCarrier
      ? dashboardLink(context, `/carriers/${usdot}#${WATCH_PART}`)
      : `${here}/${id}`;
    await redirectWithNote(context, request, response, { address, note: outcomeOf(id, changed) });
  });
  pages.question("/watchlists/:id/delete", "delete watchlists", async (request, response, session) => {
    const body = confirmDeleting(context, session, await readList(context, session.accountId, idOf(request)));
    sendPage(context, response, { title: "Delete the list", body, session, here: HERE });
  });
  pages.post("/watchlists/:id/delete", "delete watchlists", async (request, response, session) => {
    await deleteList(context, session.accountId, idOf(request), session);
    response.redirect(303, addressAfter(here, "list-deleted"));
  });
  pages.post("/carriers/:usdot/watch", "change watchlists", async (request, response, session) => {
    const usdot = String(request.params.usdot);
    const caller = await callerOf(context, session);
    const watchlistId = await chosenList(context, session, fieldOf(request, "list"));
    const changed = await addCarriers(context, { caller, watchlistId }, { usdots: [usdot] });
    const address = dashboardLink(context, `/carriers/${encodeURIComponent(usdot)}#${WATCH_PART}`);
    await redirectWithNote(context, request, response, {
      address,
      note: outcomeOf(watchlistId, changed),
    });
  });
};

/** The list's number in an address; 0, which no list has, when it is none. */
const idOf = ({ params }: Request): number => numberOf(String(params.id));
const numberOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

/** The list that a carrier's page asks for. A list named Watched is made once. */
async function chosenList(context: EntryContext, session: Session, chosen: string): Promise<number> {
  if (chosen !== NEW_LIST.value) return numberOf(chosen);
  const watched = (await listNames(context, session.accountId)).find(({ name }) => name === NEW_LIST.name);
  return watched?.id ?? (await createList(context, session.accountId, { name: NEW_LIST.name }, session)).id;
}

/** Adds the numbers of the form: those of the file if there is one, else the typed ones. */
async function addTyped(
  context: EntryContext,
  request: Request,
  response: Response,
  session: Session,
): Promise<void> {
  const watchlistId = idOf(request);
  const typed = fieldOf(request, "numbers");
  const sent = sentNumbers(typed, fieldOf(request, "file"));
  const { numbers } = sent;
  const refuse = (status: number, trouble: string) =>
    send(context, request, response, session, { status, refused: { typed, trouble } });
  const count = numbers.usdots.length + numbers.dockets.length;
  if (count === 0) return refuse(422, NO_NUMBERS);
  if (count > MOST_NUMBERS) return refuse(422, tooMany(count));
  try {
    const caller = await callerOf(context, session);
    const changed = await addCarriers(context, { caller, watchlistId }, numbers);
    const address = dashboardLink(context, `${HERE}/${watchlistId}`);
    await redirectWithNote(context, request, response, {
      address,
      note: outcomeOf(watchlistId, changed, sent),
    });
  } catch (error) {
    const isAboutThem = error instanceof ProblemError || error instanceof InvalidRequestError;
    if (!isAboutThem || (error instanceof ProblemError && error.code === "not_found")) throw error;
    const { status, detail } = problemOf(error);
    await refuse(status, detail);
  }
}

function sentNumbers(typed: string, file: string): TypedNumbers {
  if (file.trim() === "") return numbersInText(typed);
  return numbersInFile(file) ?? { numbers: { usdots: [], dockets: [] }, given: 0, columns: [] };
}

const NO_NUMBERS =
  "No number was found, so nothing was changed. Type USDOT or docket numbers, or choose a CSV file with a column of them.";

const tooMany = (count: number): string =>
  `These are ${shownCount(count)} numbers. Add at most ${shownCount(MOST_NUMBERS)} at once. Nothing was changed.`;

async function send(
  context: EntryContext,
  request: Request,
  response: Response,
  session: Session,
  { status = 200, ...parts }: ListParts & { status?: number },
): Promise<void> {
  const cursor = queryOf(request).get("cursor") ?? undefined;
  const page = await listPage(context, session, { watchlistId: idOf(request), cursor, ...parts });
  sendPage(context, response, { status, ...page, session, here: HERE });
}
