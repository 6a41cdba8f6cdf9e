-- params: none
DELETE FROM shared_contact;
DELETE FROM filed_contact
