-- One phone of each exchange whose line type is not known yet. An exchange is the first six digits.
-- params: none
-- after: make-companies.sql
SELECT min(phone) AS phone FROM company
WHERE phone IS NOT NULL AND NOT EXISTS (SELECT FROM phone_exchange WHERE exchange = left(phone, 6))
GROUP BY left(phone, 6)
