-- params: none
DELETE FROM shared_contact
