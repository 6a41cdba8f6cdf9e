-- The version of each feed that is served now, and the state of the removal list in the same snapshot.
-- params: none
SELECT feed_version.feed_code, feed_version.id, as_of, row_count, published_at, feed_version.list_state AS built_list_state,
  columns_hash, removal_list_state.state AS list_state
FROM feed_current JOIN feed_version ON id = version_id CROSS JOIN removal_list_state
