interface Failing {
  endpointId: number;
  url: string;
  /** Failed deliveries in a row. */
  streak: number;
}

interface MailText {
  purpose: string;
  subject: string;
  body: string;
}

/** Tells an owner that an endpoint keeps failing and will be paused. */
export const failingMail = ({
  endpointId,
  url,
  streak,
  pausesAt,
}: Failing & { pausesAt: number }): MailText => ({
  purpose: "webhook_failing",
  subject: `Your webhook endpoint ${endpointId} is failing`,
  body: `${streak} deliveries in a row to your webhook endpoint ${endpointId} (${shown(url)}) have failed, each after all its
retries. After ${pausesAt} in a row the endpoint is paused and its queued deliveries are cancelled.

A delivery is accepted when your endpoint answers any 2xx within 15 seconds; redirects are not followed. POST
/v1/webhooks/${endpointId}/test sends a test delivery, which does not count.
`,
});

/** Tells an owner that an endpoint was paused. */
export const pausedMail = ({ endpointId, url, streak }: Failing): MailText => ({
  purpose: "webhook_paused",
  subject: `Your webhook endpoint ${endpointId} was paused`,
  body: `${streak} deliveries in a row to your webhook endpoint ${endpointId} (${shown(url)}) have failed, each after all its
retries. The endpoint is paused: it gets no more events, and its queued deliveries were cancelled.

Test it with POST /v1/webhooks/${endpointId}/test, which also reaches a paused endpoint, and enable it again in the dashboard.
You can read the events that it missed with GET /v1/events.
`,
});

/** The URL without its query, which often holds a secret. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
