import type { Socket } from "node:net";

const CONTINUE = Buffer.from("HTTP/1.1 100");

/**
 * Makes a socket skip each status 100 before an answer: a receiver may send it unasked, and undici closes the connection then.
 * Call the result before each request.
 */
export function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let isBefore = true;
  let held = Buffer.alloc(0);
  socket.read = (sizeBytes) => {
    const chunk: Buffer | null = read(sizeBytes);
    if (chunk === null || !isBefore) return chunk;
    held = Buffer.concat([held, chunk]);
    while (mayBeContinue(held)) {
      const end = held.indexOf("\r\n\r\n");
      if (end === -1) return null;
      held = held.subarray(end + 4);
    }
    isBefore = false;
    return held;
  };
  return () => {
    isBefore = true;
    held = Buffer.alloc(0);
  };
}

/** Also of its first bytes, and of none. */
const mayBeContinue = (bytes: Buffer): boolean => {
  const length = Math.min(bytes.length, CONTINUE.length);
  return bytes.subarray(0, length).equals(CONTINUE.subarray(0, length));
};
