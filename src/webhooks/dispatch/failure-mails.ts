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
retries. After ${pausesAt} in a row the endpoint is paused and what is queued for it is cancelled.

A delivery counts as taken when your endpoint answers any 2xx within 15 seconds; redirects are not followed. POST
/v1/webhooks/${endpointId}/test sends a test delivery, which does not count.
`,
});

/** Tells an owner that an endpoint was paused. */
export const pausedMail = ({ endpointId, url, streak }: Failing): MailText => ({
  purpose: "webhook_paused",
  subject: `Your webhook endpoint ${endpointId} was paused`,
  body: `${streak} deliveries in a row to your webhook endpoint ${endpointId} (${shown(url)}) have failed, each after all its
retries. The endpoint is paused: it gets no more events, and what was queued for it is cancelled.

Test it with POST /v1/webhooks/${endpointId}/test, which also reaches a paused endpoint, and enable it again in the dashboard.
What it missed meanwhile can be read with GET /v1/events.
`,
});

/** The address without what often holds a secret. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
