SELECT
    charged_rows AS charged, delivered_rows AS delivered,
    charged_by_state AS "chargedByState", delivered_by_state AS "deliveredByState"
FROM export_charge WHERE account_id = $1 AND month = $2 AND content = $3
