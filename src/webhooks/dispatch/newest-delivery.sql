-- params: none
SELECT coalesce(max(id), 0) AS id FROM webhook_delivery
