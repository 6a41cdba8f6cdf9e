import type pg from "pg";
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from "pg-copy-streams";

/** Runs a `COPY … TO STDOUT`: the stream gives its bytes. */
export const copyTo = (client: pg.ClientBase, text: string): CopyToStreamQuery => client.query(to(text));

/** Runs a `COPY … FROM STDIN`: the stream takes its bytes. */
export const copyFrom = (client: pg.ClientBase, text: string): CopyStreamQuery => client.query(from(text));
