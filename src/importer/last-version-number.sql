-- params: none
SELECT last_value AS value, is_called AS "isCalled" FROM feed_version_id_seq
