-- What was taken off the removal list since a number and a time, with the number since which it had been on it: businesses
-- and contacts.
-- params: number, since
SELECT usdot, contact, hidden_number AS "hiddenNumber" FROM removal_list_shown_again
WHERE number > $1 AND shown_at >= $2
