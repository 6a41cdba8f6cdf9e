-- The contacts among these that are on the removal list now.
-- params: contacts
SELECT value FROM removal_list_contact WHERE value = ANY ($1::text[])
