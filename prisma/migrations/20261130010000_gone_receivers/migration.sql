-- An endpoint whose receiver answers 410 is paused with a reason of its own.
ALTER TABLE "webhook_endpoint"
    DROP CONSTRAINT "webhook_endpoint_disabled_reason",
    ADD CONSTRAINT "webhook_endpoint_disabled_reason" CHECK ("disabled_reason" IN ('paused_by_customer',
        'too_many_failures', 'plan_changed', 'receiver_gone'));
