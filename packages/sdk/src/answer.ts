/** What is left of the rows of the month, or of the requests of the minute. */
export interface Allowance {
  limit: number;
  remaining: number;
  resetsAt: Date;
}

/** What a call answered, with what the headers say. */
export interface Answer<Data> {
  /** What the call gives without `withResponse`. */
  data: Data;
  /** The rows that it cost. Null, like `quota` and `rate`, after a call that takes no key. */
  cost: number | null;
  /** The account's rows of this month, after this answer. */
  quota: Allowance | null;
  /** The key's requests of this minute. */
  rate: Allowance | null;
  /** Identifies the request in the service's log. Quote it when you ask for help. */
  requestId: string | null;
  /** The answer itself, for its status and its other headers. Its body was read. */
  response: Response;
}

/** A call that was sent: a promise of its data. */
export interface Call<Data> extends Promise<Data> {
  /** The same with cost, quota, rate and request id. */
  withResponse(): Promise<Answer<Data>>;
}

/** The pages of a list. They are asked for while the caller reads. */
export interface Pages<Page> extends AsyncGenerator<Page, void, undefined> {
  /** The same pages, each with cost, quota, rate and request id. Read these or those. */
  withResponse(): AsyncGenerator<Answer<Page>, void, undefined>;
}

/** An answer with this data. */
export const answerOf = <Data>(data: Data, response: Response): Answer<Data> => {
  const { headers } = response;
  return {
    data,
    cost: numberIn(headers, "x-quota-cost"),
    quota: allowanceIn(headers, "x-quota"),
    rate: allowanceIn(headers, "x-ratelimit"),
    requestId: headers.get("x-request-id"),
    response,
  };
};

/** The call that gets this answer. */
export function callOf<Data>(answered: Promise<Answer<Data>>): Call<Data> {
  const data = answered.then((answer) => answer.data);
  const withResponse = () => {
    // Who awaits the answer gets its error there.
    data.catch(() => {});
    return answered;
  };
  return Object.assign(data, { withResponse });
}

/** The call whose data is made of that of another one. */
export const mapped = <From, Data>(call: Call<From>, of: (data: From) => Data): Call<Data> =>
  callOf(call.withResponse().then((answer) => ({ ...answer, data: of(answer.data) })));

/** The pages that have these answers. */
export function pagesOf<Page>(answers: Pages<Page>["withResponse"]): Pages<Page> {
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    for await (const { data } of answers()) yield data;
  }
  return Object.assign(pages(), { withResponse: answers });
}

function allowanceIn(headers: Headers, name: string): Allowance | null {
  const limit = numberIn(headers, `${name}-limit`);
  const remaining = numberIn(headers, `${name}-remaining`);
  const reset = numberIn(headers, `${name}-reset`);
  if (limit === null || remaining === null || reset === null) return null;
  return { limit, remaining, resetsAt: new Date(reset * 1000) };
}

function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value === null ? null : Number(value);
}
