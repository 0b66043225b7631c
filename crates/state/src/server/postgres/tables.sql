-- The tables that hold rows, each as JSON: its stored columns, its key, and a stamp that changes when its rows may have
-- been changed past the triggers: the table, its file, its columns or restage's triggers on it are others.
SELECT json_build_object(
  'oid', c.oid::int8, 'name', CASE n.nspname WHEN 'public' THEN '' ELSE quote_ident(n.nspname) || '.' END || quote_ident(c.relname),
  'columns', (SELECT json_agg(json_build_array(quote_ident(attname), format_type(atttypid, atttypmod)
      || coalesce((SELECT E'\n' || json_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid IN (t.oid, t.typelem)), '')
      || coalesce((SELECT E'\n' || json_agg(format_type(f.atttypid, f.atttypmod) ORDER BY f.attnum) FROM pg_attribute f
        WHERE f.attrelid = coalesce(nullif(t.typrelid, 0), (SELECT e.typrelid FROM pg_type e WHERE e.oid = t.typelem AND t.typlen = -1))
        AND f.attrelid > 0 AND f.attnum > 0 AND NOT f.attisdropped), '')) ORDER BY attnum)
    FROM pg_attribute JOIN pg_type t ON t.oid = atttypid
    WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''),
  'key', coalesce((SELECT (SELECT json_agg(quote_ident(attname) ORDER BY place) FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(number, place)
      JOIN pg_attribute ON attrelid = c.oid AND attnum = number WHERE place <= i.indnkeyatts)
    FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indimmediate AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
      AND NOT EXISTS (SELECT FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(number, place) LEFT JOIN pg_attribute ON attrelid = c.oid AND attnum = number
        WHERE place <= i.indnkeyatts AND (attnotnull IS NOT TRUE OR attgenerated <> ''))
    ORDER BY i.indisprimary DESC, i.indnkeyatts, i.indexrelid LIMIT 1), '[]'),
  'stamp', concat_ws(' ', c.oid, pg_relation_filenode(c.oid),
    (SELECT string_agg(attnum || ':' || atttypid, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped),
    (SELECT string_agg(tgname || ':' || oid || ':' || xmin || ':' || tgenabled::text, ',' ORDER BY tgname) FROM pg_trigger
      WHERE tgrelid = c.oid AND tgname ~ '^restage_')),
  'forced', c.relforcerowsecurity)::text
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'restage_watch')
  AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '')
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
ORDER BY n.nspname, c.relname
