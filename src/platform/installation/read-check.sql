-- params: none
SELECT secrets_check AS "check" FROM installation
