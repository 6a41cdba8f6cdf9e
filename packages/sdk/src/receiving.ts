// `@trucking-data-feed/sdk/webhooks`: what receivers of deliveries need, without anything that only Node has.
export { type BodyToSign, type SignatureHeaders, signWebhook } from "./webhooks/sign-webhook.ts";
export {
  type Delivery,
  type RefusalReason,
  type ThinWebhookChange,
  type ThinWebhookCorrection,
  type ThinWebhookEvent,
  verifyDelivery,
  verifyThinDelivery,
  verifyThinWebhook,
  verifyWebhook,
  type WebhookChange,
  type WebhookCorrection,
  type WebhookEvent,
  WebhookVerificationError,
} from "./webhooks/verify-webhook.ts";
