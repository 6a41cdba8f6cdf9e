/** One item of the contract's ValidationErrors. */
export interface Fault {
  /** First query, path, header or body, then member names and array indexes. */
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** The request does not fit the contract. The API answers 422 with the faults. */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`${faults.length} faults`);
    this.faults = faults;
  }
}
