-- params: accountId
SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE
