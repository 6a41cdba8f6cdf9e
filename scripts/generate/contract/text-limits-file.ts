import type { Contract } from "./contract.ts";

/** The lengths of the texts that records and events have from the registry's files as they are, by column. */
export function textLimitsFile({ document }: Contract): string {
  const { schemas } = document.components;
  const records = Object.values(schemas).filter((schema) => schema["x-feed"] !== undefined);
  const columns = records.flatMap(({ properties }) => Object.entries(properties ?? {}));
  const limits = columns.flatMap(([name, { enum: words, pattern, maxLength }]) =>
    words || pattern || maxLength === undefined ? [] : [[name, maxLength] as const],
  );
  const reason = schemas.EventData?.properties?.reason?.maxLength;
  return `// Written by \`npm run generate\` from openapi.yaml: the most characters of each column of text, and of an event's reason.
export const textLimits = ${JSON.stringify({ ...Object.fromEntries(limits), reason }, null, 2)} as const;

export type LimitedText = keyof typeof textLimits;
`;
}
