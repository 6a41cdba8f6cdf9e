import { isAnswered, type KeyShown } from "../../../accounts/keys/shown-key.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { dashboardLink, linkTo } from "../../frame/links.ts";
import { badge } from "../../kit/badge.ts";
import { type Html, html } from "../../kit/html.ts";

/** What an account with API access does first, each step with whether it is done. */
export function firstTasks(
  context: EntryContext,
  {
    keys,
    endpoints: { data: endpoints, available_event_types: types },
    hasTested,
  }: {
    keys: readonly KeyShown[];
    endpoints: components["schemas"]["WebhooksOut"];
    /** Whether a test delivery was ever sent. */
    hasTested: boolean;
  },
): Task[] {
  const here = (path: string) => dashboardLink(context, path);
  const guide = html`<a href="${linkTo(context, "/docs/start")}">Start in five minutes</a>`;
  return [
    {
      name: "Make an API key",
      text: html`Your programs send it with each request. <a href="${here("/keys")}">Make a key</a>`,
      isDone: keys.some(isAnswered),
    },
    {
      name: "Call the API",
      text: html`Paste the line that is shown with the new key into a terminal. ${guide} says more.`,
      isDone: keys.some(({ last_used_at }) => last_used_at !== null),
    },
    ...(types.length === 0
      ? []
      : [
          {
            name: "Register a webhook endpoint",
            text: html`We send the events of your plan to your address. <a href="${here("/webhooks")}">Register an endpoint</a>`,
            isDone: endpoints.length > 0,
          },
          {
            name: "Send it a test delivery",
            text: html`It shows that your receiver accepts and verifies deliveries. <a href="${here(endpoints[0] ? `/webhooks/${endpoints[0].id}` : "/webhooks")}">Test the endpoint</a>`,
            isDone: hasTested,
          },
        ]),
  ];
}

interface Task {
  name: string;
  /** What the step is good for, or how it is done. */
  text: Html | string;
  isDone: boolean;
}

/** Steps to take, in order, with the finished ones marked. The first of the others is the next one. */
export function checklist(tasks: readonly Task[]): Html {
  const next = tasks.findIndex(({ isDone }) => !isDone);
  return html`<ol class="steps">
${tasks.map(
  (
    { name, text, isDone },
    index,
  ) => html`<li class="${isDone && "done"}"><strong>${name}</strong> ${stateOf(isDone, index === next)}
${!isDone && html`<p>${text}</p>`}</li>
`,
)}</ol>
`;
}

const stateOf = (isDone: boolean, isNext: boolean): Html | false =>
  isDone ? badge("good", "done") : isNext && badge("info", "next");
