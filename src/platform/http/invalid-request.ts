/** One item of the contract's ValidationErrors. */
export interface Fault {
  /** query, path, header or body first, then member names and array positions. */
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** The request does not fit the contract: the door answers 422 with what is wrong. Thrown by the door and by rooms. */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`${faults.length} faults`);
    this.faults = faults;
  }
}
