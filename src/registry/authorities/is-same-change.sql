before.docket = added.docket AND before.authority_class = added.authority_class
  AND before.status = added.status AND before.meaning = added.meaning
  AND before.changed_on IS NOT DISTINCT FROM added.changed_on
  AND coalesce(before.usdot = added.usdot, true)
