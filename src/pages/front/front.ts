import type { IRouter } from "express";
import { routePage } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { feedPage, feedsPage } from "./feed-pages.ts";
import { frontPage } from "./front-page.ts";
import { liveNumbersOf, stateNumbersOf } from "./live-numbers.ts";
import { pricingPage } from "./pricing.ts";

/** Routes the pages that tell strangers what the service is: the first one, its feeds and its prices. */
export function routeFront(app: IRouter, context: EntryContext): void {
  const liveNumbers = liveNumbersOf(context);
  routePage(app, context, "/", "pages", frontPage(context, liveNumbers));
  routePage(app, context, "/feeds", "pages", feedsPage(context, liveNumbers));
  routePage(app, context, "/feeds/:code", "pages", feedPage(context, liveNumbers, stateNumbersOf(context)));
  routePage(app, context, "/pricing", "pages", pricingPage(context));
}
