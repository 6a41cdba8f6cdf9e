import type { PublishedFeed } from "../../feeds/publish/publish.ts";
import { table } from "../print.ts";

type Origin = Pick<PublishedFeed, "feed" | "rowsAfter" | "rowsBySource" | "leftOut">;

/** The rows of each feed by source, and the authorities that each rule left out. */
export function originLines(feeds: readonly Origin[]): string[] {
  const rows = feeds.map(({ feed, rowsAfter, rowsBySource }) => [
    feed,
    rowsAfter,
    rowsBySource.motus ?? 0,
    rowsBySource.legacy ?? 0,
  ]);
  const leftOut = feeds.flatMap(({ feed, leftOut }) =>
    Object.entries(leftOut ?? {}).map(([rule, authorities]) => [feed, authorities, rule]),
  );
  return [
    ...table(["feed", "rows", "by Motus", "by legacy"], rows),
    ...(leftOut.length > 0 ? ["", ...table(["feed", "left out", "authorities, by rule"], leftOut)] : []),
  ];
}
