-- The facts of an authority's company: from the census, else from the authority's own file.
LEFT JOIN census ON census.usdot = authority.usdot
CROSS JOIN LATERAL (
  SELECT coalesce(census.legal_name, authority.registry_name) AS legal_name,
    coalesce(census.state, authority.registry_state) AS state,
    CASE WHEN census.usdot IS NULL THEN authority.registry_country ELSE census.country END AS country
) AS company
