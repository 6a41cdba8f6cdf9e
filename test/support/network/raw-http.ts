import { connect } from "node:net";

/**
 * Sends raw bytes to a port and returns the answer up to the server's close, or up to the timeout.
 * `isAll` closes the sending side after the bytes.
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
    // A server that has answered may close while bytes are still being sent.
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

/** The body of a raw answer, as JSON. */
export const jsonOf = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
