-- The contacts among these that are on the removal list now, each with the list's number since then.
-- params: contacts
SELECT value, number FROM removal_list_contact WHERE value = ANY ($1::text[])
