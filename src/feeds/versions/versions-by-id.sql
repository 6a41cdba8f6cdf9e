-- params: ids
SELECT feed_version.feed_code, feed_version.id, as_of, row_count, published_at, feed_version.list_state AS built_list_state,
  columns_hash, removal_list_state.state AS list_state,
  replaced_at
FROM feed_version CROSS JOIN removal_list_state WHERE feed_version.id = ANY ($1)
