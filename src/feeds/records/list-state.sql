-- params: none
SELECT state AS "listState" FROM removal_list_state
