import { setPlan } from "../../../../src/accounts/accounts.ts";
import { deleteEndpoint } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { updateEndpoint } from "../../../../src/webhooks/endpoints/update.ts";
import { removeBusinesses } from "../../../support/removals/removals.ts";
import type { TestService } from "../../../support/service.ts";

/** What the deliveries of these changes are about. */
export const USDOT = 5_000_000;

/** An account with an endpoint of this id. */
export interface Customer {
  id: number;
  key: string;
  accountId: number;
  planCode: string;
}

/** Every change that forbids queued deliveries, as its owner makes it, and their cancel reason. */
export const FORBIDDING: [string, string, (service: TestService, customer: Customer) => Promise<unknown>][] =
  [
    [
      "pausing the endpoint",
      "paused",
      (service, { id, key }) => service.send("DELETE", `/v1/webhooks/${id}`, { key }),
    ],
    [
      "deleting the endpoint",
      "deleted",
      (service, { id, accountId }) => deleteEndpoint(service.context, accountId, id),
    ],
    [
      "taking the event type from the endpoint",
      "unsubscribed",
      (service, { id, accountId }) =>
        updateEndpoint(
          service.context,
          { accountId, hasApiAccess: true, feeds: new Map([["us_brokers", null]]) },
          id,
          { event_types: ["reinstated"] },
        ),
    ],
    [
      "moving the account to a plan without the type",
      "plan_changed",
      async (service, { accountId }) => {
        const { planCode } = await service.createAccount({ feeds: { us_insurance_lapse_alerts: null } });
        await setPlan(service.context, accountId, planCode);
      },
    ],
    [
      "taking the feed out of the plan",
      "plan_changed",
      (service, { planCode }) => service.context.db.prisma.planFeed.deleteMany({ where: { planCode } }),
    ],
    [
      "narrowing the plan's regions",
      "plan_changed",
      (service, { planCode }) =>
        service.context.db.prisma.planFeed.updateMany({
          where: { planCode },
          data: { allRegions: false, regions: ["CA"] },
        }),
    ],
    [
      "taking API access from the plan",
      "plan_changed",
      (service, { planCode }) =>
        service.context.db.prisma.plan.update({ where: { code: planCode }, data: { apiAccess: false } }),
    ],
    ["removing the business", "removed", (service) => removeBusinesses(service.context.db, [USDOT])],
  ];
