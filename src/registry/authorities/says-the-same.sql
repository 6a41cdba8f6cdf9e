before.docket = come.docket AND before.authority_class = come.authority_class
  AND before.status = come.status AND before.meaning = come.meaning
  AND before.changed_on IS NOT DISTINCT FROM come.changed_on
  AND coalesce(before.usdot = come.usdot, true)
