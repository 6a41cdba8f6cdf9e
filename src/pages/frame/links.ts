import type { EntryContext } from "../../platform/context.ts";

/** The link to a page. It begins with the path of PUBLIC_URL, which a proxy in front may strip. */
export const linkTo = ({ config }: EntryContext, path: string): string =>
  `${new URL(config.publicUrl).pathname.replace(/\/$/, "")}${path}`;

/** The link to a page of the dashboard. */
export const dashboardLink = (context: EntryContext, path: string): string =>
  linkTo(context, `/dashboard${path === "/" ? "" : path}`);
