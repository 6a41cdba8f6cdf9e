-- params: none
DROP TABLE IF EXISTS removal_key
