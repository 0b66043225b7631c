-- Changes whenever the catalogue does: the rows of what users made, each by its oid and the transaction that wrote it.
-- One hash seeds the other: hashint8 folds its halves, and two rows that change alike would cancel out.
-- VACUUM and ANALYZE write theirs in place, which keeps the transaction. Temporary tables do not count.
SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), count(*), sum(hashint8extended(id, hashint8extended(tx::text::int8, (class::int8 << 32) + part))))
FROM (
  SELECT 1 AS class, c.oid::int8 AS id, c.xmin AS tx, 0 AS part FROM pg_class c
    WHERE c.oid >= 16384 AND c.relpersistence <> 't' AND c.relnamespace <> 99
  UNION ALL SELECT 2, a.attrelid::int8, a.xmin, a.attnum::int4 << 12 FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE a.attrelid >= 16384 AND a.attnum > 0 AND c.relpersistence <> 't' AND c.relnamespace <> 99
  UNION ALL SELECT 3, oid::int8, xmin, 0 FROM pg_attrdef WHERE oid >= 16384
  UNION ALL SELECT 4, oid::int8, xmin, 0 FROM pg_constraint WHERE oid >= 16384
  UNION ALL SELECT 5, indexrelid::int8, i.xmin, 0 FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE indexrelid >= 16384 AND c.relpersistence <> 't' AND c.relnamespace <> 99
  UNION ALL SELECT 6, oid::int8, xmin, 0 FROM pg_trigger WHERE oid >= 16384
  UNION ALL SELECT 7, oid::int8, xmin, 0 FROM pg_proc WHERE oid >= 16384
  UNION ALL SELECT 8, t.oid::int8, t.xmin, 0 FROM pg_type t WHERE t.oid >= 16384 AND t.typtype IN ('e', 'd', 'r', 'b') AND t.typelem = 0
  UNION ALL SELECT 9, oid::int8, xmin, 0 FROM pg_enum WHERE oid >= 16384
  UNION ALL SELECT 10, oid::int8, xmin, 0 FROM pg_rewrite WHERE oid >= 16384
  UNION ALL SELECT 11, objoid::int8, xmin, objsubid << 12 FROM pg_description WHERE objoid >= 16384
  UNION ALL SELECT 12, oid::int8, xmin, 0 FROM pg_namespace WHERE nspname !~ '^pg_'
  UNION ALL SELECT 13, oid::int8, xmin, 0 FROM pg_policy
  UNION ALL SELECT 14, seqrelid::int8, xmin, 0 FROM pg_sequence
  UNION ALL SELECT 15, inhrelid::int8, xmin, inhseqno << 12 FROM pg_inherits
  UNION ALL SELECT 16, oid::int8, xmin, 0 FROM pg_statistic_ext
  UNION ALL SELECT 17, oid::int8, xmin, 0 FROM pg_extension
  UNION ALL SELECT 18, oid::int8, xmin, 0 FROM pg_collation WHERE oid >= 16384
  UNION ALL SELECT 19, oid::int8, xmin, 0 FROM pg_operator WHERE oid >= 16384
  UNION ALL SELECT 20, oid::int8, xmin, 0 FROM pg_cast WHERE oid >= 16384
  UNION ALL SELECT 21, oid::int8, xmin, 0 FROM pg_default_acl
  UNION ALL SELECT 22, oid::int8, xmin, 0 FROM pg_event_trigger
  UNION ALL SELECT 23, oid::int8, xmin, 0 FROM pg_ts_config WHERE oid >= 16384
  UNION ALL SELECT 24, oid::int8, xmin, 0 FROM pg_ts_dict WHERE oid >= 16384
  UNION ALL SELECT 25, oid::int8, xmin, 0 FROM pg_foreign_server
  UNION ALL SELECT 26, oid::int8, xmin, 0 FROM pg_publication
  UNION ALL SELECT 27, objid::int8, xmin, refobjsubid << 12 FROM pg_depend WHERE deptype IN ('a', 'i') AND objid >= 16384
    AND classid = 'pg_class'::regclass AND refobjsubid > 0
) things
