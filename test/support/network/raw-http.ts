import { connect } from "node:net";

/**
 * Sends bytes to a port as they are and gives all that came back before the server closed, or this side gave up.
 * `isAll` closes this side after them, as a client does that has nothing more to say.
 */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  { giveUpMs, isAll = false }: { giveUpMs?: number; isAll?: boolean } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      if (isAll) socket.end(bytes);
      else socket.write(bytes);
    });
    if (giveUpMs !== undefined) socket.setTimeout(giveUpMs, () => socket.destroy());
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    // A server that has said its piece may cut what we still had to say.
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

/** The body of a raw answer, as JSON. */
export const jsonOf = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
