-- params: none
DROP TABLE IF EXISTS taken_back
