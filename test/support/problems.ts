import { expect } from "vitest";

/** Expects a problem with this status and code, whose detail contains a text. */
export async function expectProblem(
  answer: Response,
  status: number,
  code: string,
  detail = "",
): Promise<void> {
  const body = (await answer.json()) as { detail: string };
  expect({ status: answer.status, ...body }).toMatchObject({ status, code });
  expect(body.detail).toContain(detail);
}
