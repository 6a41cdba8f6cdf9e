-- params: deliveryIds
DELETE FROM webhook_retry WHERE delivery_id = ANY ($1::bigint[])
