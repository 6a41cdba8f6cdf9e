-- The kind of policy that secures an authority of the class `authority_class`.
CASE WHEN authority_class IN ('broker', 'freight_forwarder') THEN 'security' ELSE 'bipd' END
