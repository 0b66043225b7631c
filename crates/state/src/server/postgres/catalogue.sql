-- Everything that a database is built of, but rows and counters: in the order in which it is best made, with what makes
-- it and what drops it. Names are qualified: the search path holds pg_catalog alone. What begins with `--` cannot be made.
WITH ns AS MATERIALIZED (
  SELECT oid, quote_ident(nspname) AS name, nspowner, nspacl FROM pg_namespace
  WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'restage_watch')
), ext AS MATERIALIZED (
  SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
), rel AS MATERIALIZED (
  SELECT c.*, ns.name || '.' || quote_ident(c.relname) AS name,
    CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
      WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'c' THEN 'TYPE' WHEN 'i' THEN 'INDEX' WHEN 'I' THEN 'INDEX' ELSE 'TABLE' END AS word,
    CASE WHEN c.reltablespace <> 0
      THEN ' TABLESPACE ' || (SELECT quote_ident(spcname) FROM pg_tablespace s WHERE s.oid = c.reltablespace) ELSE '' END AS space,
    coalesce(' WITH (' || nullif(concat_ws(', ', array_to_string(c.reloptions, ', '),
      (SELECT string_agg('toast.' || o, ', ') FROM pg_class t, unnest(t.reloptions) o WHERE t.oid = c.reltoastrelid)), '') || ')', '') AS options
  FROM pg_class c JOIN ns ON ns.oid = c.relnamespace
  WHERE NOT EXISTS (SELECT FROM ext WHERE classid = 'pg_class'::regclass AND objid = c.oid)
), proc AS MATERIALIZED (
  SELECT p.*, p.oid::regprocedure::text AS name FROM pg_proc p JOIN ns ON ns.oid = p.pronamespace
  WHERE NOT EXISTS (SELECT FROM ext WHERE classid = 'pg_proc'::regclass AND objid = p.oid)
), typ AS MATERIALIZED (
  SELECT t.*, ns.name || '.' || quote_ident(t.typname) AS name FROM pg_type t JOIN ns ON ns.oid = t.typnamespace
  WHERE NOT EXISTS (SELECT FROM ext WHERE classid = 'pg_type'::regclass AND objid = t.oid)
    AND (t.typtype IN ('e', 'd', 'r') OR t.typtype = 'b' AND t.typelem = 0
      OR t.typtype = 'c' AND EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
), seq AS MATERIALIZED (
  SELECT rel.oid, rel.name, d.deptype, d.refobjid, a.attname, a.attidentity, rel.relpersistence,
    ' INCREMENT BY ' || s.seqincrement || ' MINVALUE ' || s.seqmin || ' MAXVALUE ' || s.seqmax || ' START WITH ' || s.seqstart
      || ' CACHE ' || s.seqcache || CASE WHEN s.seqcycle THEN ' CYCLE' ELSE ' NO CYCLE' END AS settings,
    format_type(s.seqtypid, NULL) AS type
  FROM rel JOIN pg_sequence s ON s.seqrelid = rel.oid
  LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = rel.oid AND d.refclassid = 'pg_class'::regclass
    AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
  LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
), acl AS (
  SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || name AS what, '' AS part,
    CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char" AS type, relacl AS acl, relowner AS owner
  FROM rel WHERE relacl IS NOT NULL
  UNION ALL SELECT 'TABLE ' || name, ' (' || quote_ident(attname) || ')', 'c', attacl, relowner
  FROM rel JOIN pg_attribute ON attrelid = rel.oid AND attacl IS NOT NULL AND NOT attisdropped
  UNION ALL SELECT 'ROUTINE ' || name, '', 'f', proacl, proowner FROM proc WHERE proacl IS NOT NULL
  UNION ALL SELECT 'SCHEMA ' || name, '', 'n', nspacl, nspowner FROM ns WHERE nspacl IS NOT NULL
  UNION ALL SELECT 'TYPE ' || name, '', 'T', typacl, typowner FROM typ WHERE typacl IS NOT NULL
), owned AS (
  SELECT 'SCHEMA ' || name AS what, nspowner AS owner FROM ns
  UNION ALL SELECT word || ' ' || name, relowner FROM rel WHERE relkind IN ('r', 'p', 'v', 'm')
  UNION ALL SELECT 'SEQUENCE ' || seq.name, relowner FROM seq JOIN rel USING (oid) WHERE seq.deptype IS DISTINCT FROM 'i'
  UNION ALL SELECT 'ROUTINE ' || name, proowner FROM proc WHERE prokind <> 'a'
  UNION ALL SELECT 'TYPE ' || name, typowner FROM typ
  UNION ALL SELECT 'STATISTICS ' || ns.name || '.' || quote_ident(stxname), stxowner FROM pg_statistic_ext JOIN ns ON ns.oid = stxnamespace
  UNION ALL SELECT 'COLLATION ' || ns.name || '.' || quote_ident(collname), collowner FROM pg_collation c JOIN ns ON ns.oid = collnamespace
    WHERE NOT EXISTS (SELECT FROM ext WHERE classid = 'pg_collation'::regclass AND objid = c.oid)
)
SELECT 10, 'schema', name, 'CREATE SCHEMA ' || name, 'DROP SCHEMA ' || name || ' CASCADE' FROM ns
UNION ALL
SELECT 11, 'extension', e.extname, 'CREATE EXTENSION ' || quote_ident(e.extname) || ' SCHEMA ' || quote_ident(n.nspname) || ' VERSION '
  || quote_literal(e.extversion), 'DROP EXTENSION ' || quote_ident(e.extname) || ' CASCADE'
FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
UNION ALL
SELECT 12, 'collation', ns.name || '.' || quote_ident(collname), 'CREATE COLLATION ' || ns.name || '.' || quote_ident(collname)
  || ' (PROVIDER = ' || CASE collprovider WHEN 'i' THEN 'icu' ELSE 'libc' END
  || coalesce(', LOCALE = ' || quote_literal(coalesce(to_jsonb(c)->>'colliculocale', to_jsonb(c)->>'colllocale')), '') || coalesce(', LC_COLLATE = ' || quote_literal(collcollate)
  || ', LC_CTYPE = ' || quote_literal(collctype), '') || CASE WHEN collisdeterministic THEN '' ELSE ', DETERMINISTIC = false' END || ')',
  'DROP COLLATION ' || ns.name || '.' || quote_ident(collname) || ' CASCADE'
FROM pg_collation c JOIN ns ON ns.oid = c.collnamespace
WHERE NOT EXISTS (SELECT FROM ext WHERE classid = 'pg_collation'::regclass AND objid = c.oid)
UNION ALL
SELECT 13, 'type', name, CASE typtype
  WHEN 'e' THEN 'CREATE TYPE ' || name || ' AS ENUM ('
    || coalesce((SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = typ.oid), '') || ')'
  WHEN 'c' THEN 'CREATE TYPE ' || name || ' AS ('
    || coalesce((SELECT string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
      || CASE WHEN attcollation <> t.typcollation THEN ' COLLATE ' || attcollation::regcollation ELSE '' END, ', ' ORDER BY attnum)
      FROM pg_attribute JOIN pg_type t ON t.oid = atttypid WHERE attrelid = typ.typrelid AND attnum > 0 AND NOT attisdropped), '') || ')'
  WHEN 'd' THEN 'CREATE DOMAIN ' || name || ' AS ' || format_type(typbasetype, typtypmod)
    || CASE WHEN typcollation <> (SELECT b.typcollation FROM pg_type b WHERE b.oid = typ.typbasetype)
      THEN ' COLLATE ' || typcollation::regcollation ELSE '' END
    || CASE WHEN typdefault IS NULL THEN '' ELSE ' DEFAULT ' || coalesce(pg_get_expr(typdefaultbin, 0), quote_literal(typdefault)) END
    || CASE WHEN typnotnull THEN ' NOT NULL' ELSE '' END
    || coalesce((SELECT string_agg(' CONSTRAINT ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid), '' ORDER BY conname)
      FROM pg_constraint WHERE contypid = typ.oid AND contype = 'c'), '')
  WHEN 'r' THEN (SELECT 'CREATE TYPE ' || name || ' AS RANGE (SUBTYPE = ' || format_type(rngsubtype, NULL)
      || CASE WHEN rngsubdiff::oid <> 0 THEN ', SUBTYPE_DIFF = ' || rngsubdiff::regproc ELSE '' END
      || CASE WHEN rngcollation <> 0 THEN ', COLLATION = ' || rngcollation::regcollation ELSE '' END
      || ', MULTIRANGE_TYPE_NAME = ' || rngmultitypid::regtype || ')' FROM pg_range WHERE rngtypid = typ.oid)
  ELSE '-- base type' || to_jsonb(typ)::text END, 'DROP TYPE ' || name || ' CASCADE'
FROM typ
UNION ALL
SELECT 14, 'function', name, pg_get_functiondef(oid), 'DROP ROUTINE ' || name || ' CASCADE' FROM proc WHERE prokind <> 'a'
UNION ALL
SELECT 15, 'sequence', name, 'CREATE ' || CASE relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END || 'SEQUENCE ' || name || ' AS '
  || type || settings, 'DROP SEQUENCE ' || name || ' CASCADE' FROM seq WHERE deptype IS DISTINCT FROM 'i'
UNION ALL
SELECT 16, 'table', name, CASE WHEN reloftype <> 0 OR relkind = 'f' THEN '-- typed or foreign: ' || relname ELSE
  'CREATE ' || CASE relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END || 'TABLE ' || name || ' ('
  || coalesce((SELECT string_agg(E'\n  ' || quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
    || CASE WHEN attcollation <> t.typcollation THEN ' COLLATE ' || attcollation::regcollation ELSE '' END
    || CASE attgenerated WHEN '' THEN '' ELSE ' GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ')'
      || CASE attgenerated WHEN 's' THEN ' STORED' ELSE ' VIRTUAL' END END
    || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, ',' ORDER BY attnum)
    FROM pg_attribute JOIN pg_type t ON t.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = rel.oid AND attnum > 0 AND NOT attisdropped AND (attislocal OR rel.relispartition)), '') || ')'
  || CASE WHEN rel.relispartition THEN '' ELSE coalesce((SELECT ' INHERITS (' || string_agg(inhparent::regclass::text, ', ' ORDER BY inhseqno) || ')'
    FROM pg_inherits WHERE inhrelid = rel.oid), '') END
  || CASE relkind WHEN 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(oid) ELSE '' END
  || CASE WHEN relam <> 0 THEN (SELECT CASE amname WHEN 'heap' THEN '' ELSE ' USING ' || quote_ident(amname) END FROM pg_am WHERE pg_am.oid = relam) ELSE '' END
  || options || space
  || coalesce((SELECT string_agg(E';\nALTER TABLE ONLY ' || rel.name || ' ALTER COLUMN ' || quote_ident(attname) || setting, '' ORDER BY attnum, setting)
    FROM pg_attribute JOIN pg_type t ON t.oid = atttypid CROSS JOIN LATERAL (VALUES
      (CASE WHEN attstattarget >= 0 THEN ' SET STATISTICS ' || attstattarget END),
      (CASE WHEN attstorage <> typstorage THEN ' SET STORAGE '
        || CASE attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END END),
      (CASE to_jsonb(pg_attribute)->>'attcompression' WHEN 'p' THEN ' SET COMPRESSION pglz' WHEN 'l' THEN ' SET COMPRESSION lz4' END),
      (' SET (' || array_to_string(attoptions, ', ') || ')')) s(setting)
    WHERE attrelid = rel.oid AND attnum > 0 AND NOT attisdropped AND setting IS NOT NULL), '') END,
  'DROP ' || word || ' ' || name || ' CASCADE'
FROM rel WHERE relkind IN ('r', 'p', 'f')
UNION ALL
SELECT 17, 'default', rel.name || '.' || quote_ident(attname), 'ALTER TABLE ONLY ' || rel.name || ' ALTER COLUMN ' || quote_ident(attname)
  || ' SET DEFAULT ' || pg_get_expr(adbin, adrelid), 'ALTER TABLE ONLY ' || rel.name || ' ALTER COLUMN ' || quote_ident(attname) || ' DROP DEFAULT'
FROM rel JOIN pg_attribute ON attrelid = rel.oid AND attgenerated = '' AND NOT attisdropped JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
UNION ALL
SELECT 17, 'identity', rel.name || '.' || quote_ident(attname), 'ALTER TABLE ' || rel.name || ' ALTER COLUMN ' || quote_ident(attname)
  || ' ADD GENERATED ' || CASE attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END || ' AS IDENTITY (SEQUENCE NAME ' || seq.name || settings || ')',
  'ALTER TABLE ' || rel.name || ' ALTER COLUMN ' || quote_ident(attname) || ' DROP IDENTITY'
FROM seq JOIN rel ON rel.oid = seq.refobjid WHERE seq.deptype = 'i'
UNION ALL
SELECT 18, 'owned sequence', seq.name, 'ALTER SEQUENCE ' || seq.name || ' OWNED BY ' || rel.name || '.' || quote_ident(attname),
  'ALTER SEQUENCE ' || seq.name || ' OWNED BY NONE' FROM seq JOIN rel ON rel.oid = seq.refobjid WHERE seq.deptype = 'a'
UNION ALL
SELECT CASE contype WHEN 'c' THEN 20 WHEN 'f' THEN 40 ELSE 21 END, CASE contype WHEN 'f' THEN 'foreign key' ELSE 'constraint' END,
  quote_ident(conname) || ' ON ' || rel.name, 'ALTER TABLE '
  || CASE WHEN contype = 'f' AND relkind = 'p' OR contype = 'c' AND NOT connoinherit THEN '' ELSE 'ONLY ' END || rel.name
  || ' ADD CONSTRAINT ' || quote_ident(conname) || ' ' || pg_get_constraintdef(k.oid)
  || coalesce((SELECT E';\nALTER TABLE ' || rel.name || ' CLUSTER ON ' || quote_ident(conname) FROM pg_index
    WHERE indexrelid = k.conindid AND indisclustered AND contype IN ('p', 'u', 'x')), ''),
  'ALTER TABLE ' || rel.name || ' DROP CONSTRAINT ' || quote_ident(conname) || ' CASCADE'
FROM pg_constraint k JOIN rel ON rel.oid = k.conrelid
WHERE contype IN ('c', 'p', 'u', 'x', 'f') AND (contype <> 'f' OR conparentid = 0)
  AND (contype <> 'c' OR conislocal OR relispartition)
UNION ALL
SELECT 22, 'index', rel.name, pg_get_indexdef(rel.oid) || coalesce((SELECT E';\nALTER TABLE ' || i.indrelid::regclass || ' CLUSTER ON '
  || quote_ident(rel.relname) WHERE i.indisclustered), '') || coalesce((SELECT string_agg(E';\nALTER INDEX ' || rel.name || ' ALTER COLUMN ' || attnum
  || ' SET STATISTICS ' || attstattarget, '' ORDER BY attnum) FROM pg_attribute WHERE attrelid = rel.oid AND attstattarget >= 0), ''),
  'DROP INDEX ' || rel.name || ' CASCADE'
FROM rel JOIN pg_index i ON i.indexrelid = rel.oid
WHERE rel.relkind IN ('i', 'I') AND i.indisvalid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = rel.oid AND contype IN ('p', 'u', 'x'))
UNION ALL
SELECT 23, 'partition', rel.name, 'ALTER TABLE ONLY ' || inhparent::regclass || ' ATTACH PARTITION ' || rel.name || ' '
  || pg_get_expr(rel.relpartbound, rel.oid), 'ALTER TABLE ' || inhparent::regclass || ' DETACH PARTITION ' || rel.name
FROM rel JOIN pg_inherits ON inhrelid = rel.oid WHERE rel.relispartition AND relkind IN ('r', 'p')
UNION ALL
SELECT 24, 'index partition', rel.name, 'ALTER INDEX ' || inhparent::regclass || ' ATTACH PARTITION ' || rel.name, ''
FROM rel JOIN pg_inherits ON inhrelid = rel.oid WHERE relkind IN ('i', 'I')
UNION ALL
SELECT 25, 'replica identity', name, 'ALTER TABLE ' || name || ' REPLICA IDENTITY ' || CASE relreplident WHEN 'n' THEN 'NOTHING' WHEN 'f' THEN 'FULL'
  ELSE 'USING INDEX ' || (SELECT quote_ident(c.relname) FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = rel.oid AND indisreplident) END,
  'ALTER TABLE ' || name || ' REPLICA IDENTITY DEFAULT' FROM rel WHERE relkind IN ('r', 'p') AND relreplident <> 'd'
UNION ALL
SELECT 30, 'view', name, 'CREATE VIEW ' || name || options || E' AS\n' || rtrim(pg_get_viewdef(oid), ';'), 'DROP VIEW ' || name || ' CASCADE'
FROM rel WHERE relkind = 'v'
UNION ALL
SELECT 31, 'materialized view', name, 'CREATE MATERIALIZED VIEW ' || name || options || space || E' AS\n' || rtrim(pg_get_viewdef(oid), ';')
  || ' WITH NO DATA', 'DROP MATERIALIZED VIEW ' || name || ' CASCADE' FROM rel WHERE relkind = 'm'
UNION ALL
SELECT 45, 'materialized rows', name, 'REFRESH MATERIALIZED VIEW ' || name, 'REFRESH MATERIALIZED VIEW ' || name || ' WITH NO DATA'
FROM rel WHERE relkind = 'm' AND relispopulated
UNION ALL
SELECT 32, 'statistics', s.stxnamespace::regnamespace || '.' || quote_ident(stxname), pg_get_statisticsobjdef(s.oid)
  || CASE WHEN stxstattarget >= 0 THEN E';\nALTER STATISTICS ' || s.stxnamespace::regnamespace || '.' || quote_ident(stxname)
  || ' SET STATISTICS ' || stxstattarget ELSE '' END, 'DROP STATISTICS ' || s.stxnamespace::regnamespace || '.' || quote_ident(stxname)
FROM pg_statistic_ext s JOIN ns ON ns.oid = s.stxnamespace
UNION ALL
SELECT 41, 'trigger', quote_ident(tgname) || ' ON ' || rel.name, pg_get_triggerdef(t.oid)
  || CASE tgenabled WHEN 'O' THEN '' ELSE E';\nALTER TABLE ' || rel.name || CASE tgenabled WHEN 'D' THEN ' DISABLE TRIGGER '
  WHEN 'A' THEN ' ENABLE ALWAYS TRIGGER ' ELSE ' ENABLE REPLICA TRIGGER ' END || quote_ident(tgname) END,
  'DROP TRIGGER ' || quote_ident(tgname) || ' ON ' || rel.name || ' CASCADE'
FROM pg_trigger t JOIN rel ON rel.oid = t.tgrelid WHERE NOT tgisinternal AND tgparentid = 0 AND tgname !~ '^restage_'
UNION ALL
SELECT 42, 'rule', quote_ident(rulename) || ' ON ' || rel.name, rtrim(pg_get_ruledef(r.oid), ';')
  || CASE ev_enabled WHEN 'O' THEN '' ELSE E';\nALTER TABLE ' || rel.name || CASE ev_enabled WHEN 'D' THEN ' DISABLE RULE '
  WHEN 'A' THEN ' ENABLE ALWAYS RULE ' ELSE ' ENABLE REPLICA RULE ' END || quote_ident(rulename) END,
  'DROP RULE ' || quote_ident(rulename) || ' ON ' || rel.name || ' CASCADE'
FROM pg_rewrite r JOIN rel ON rel.oid = r.ev_class WHERE rulename <> '_RETURN'
UNION ALL
SELECT 43, 'policy', quote_ident(polname) || ' ON ' || rel.name, 'CREATE POLICY ' || quote_ident(polname) || ' ON ' || rel.name
  || CASE WHEN polpermissive THEN '' ELSE ' AS RESTRICTIVE' END
  || CASE polcmd WHEN 'r' THEN ' FOR SELECT' WHEN 'a' THEN ' FOR INSERT' WHEN 'w' THEN ' FOR UPDATE' WHEN 'd' THEN ' FOR DELETE' ELSE '' END
  || ' TO ' || (SELECT string_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE r::regrole::text END, ', ' ORDER BY r) FROM unnest(polroles) r)
  || coalesce(' USING (' || pg_get_expr(polqual, polrelid) || ')', '') || coalesce(' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')', ''),
  'DROP POLICY ' || quote_ident(polname) || ' ON ' || rel.name
FROM pg_policy JOIN rel ON rel.oid = polrelid
UNION ALL
SELECT 44, 'row security', name, 'ALTER TABLE ' || name || CASE WHEN relrowsecurity THEN ' ENABLE' ELSE ' DISABLE' END || ' ROW LEVEL SECURITY'
  || CASE WHEN relforcerowsecurity THEN E';\nALTER TABLE ' || name || ' FORCE ROW LEVEL SECURITY' ELSE '' END,
  'ALTER TABLE ' || name || ' DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY'
FROM rel WHERE relrowsecurity OR relforcerowsecurity
UNION ALL
SELECT 50, 'comment', i.type || ' ' || i.identity, 'COMMENT ON ' || what || ' IS ' || quote_literal(description), 'COMMENT ON ' || what || ' IS NULL'
FROM pg_description d CROSS JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) i
CROSS JOIN LATERAL (SELECT CASE WHEN i.type LIKE '% column' THEN 'COLUMN ' || i.identity
  WHEN i.type = 'table constraint' THEN 'CONSTRAINT ' || i.identity
  WHEN i.type = 'domain constraint' THEN 'CONSTRAINT ' || replace(i.identity, ' on ', ' ON DOMAIN ')
  WHEN i.type = 'statistics object' THEN 'STATISTICS ' || i.identity
  ELSE upper(i.type) || ' ' || i.identity END AS what) w
WHERE (d.objoid >= 16384 OR d.classoid = 'pg_namespace'::regclass) AND coalesce(i.schema, '') !~ '^(pg_|restage_watch|information_schema)'
  AND NOT (i.type = 'schema' AND i.identity ~ '^(pg_|restage_watch|information_schema)')
  AND NOT EXISTS (SELECT FROM ext WHERE ext.classid = d.classoid AND ext.objid = d.objoid)
UNION ALL
SELECT 51, 'owner', what, 'ALTER ' || what || ' OWNER TO ' || owner::regrole, '' FROM owned
UNION ALL
SELECT 52, 'privileges', what || part, 'REVOKE ALL' || part || ' ON ' || what || ' FROM PUBLIC'
  || CASE part WHEN '' THEN E';\nREVOKE ALL ON ' || what || ' FROM ' || owner::regrole ELSE '' END
  || coalesce((SELECT string_agg(E';\nGRANT ' || privileges || ' ON ' || what || ' TO ' || who || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END,
      '' ORDER BY who, is_grantable)
    FROM (SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS who, is_grantable,
        string_agg(privilege_type || part, ', ' ORDER BY privilege_type) AS privileges FROM aclexplode(acl) GROUP BY 1, 2) g), ''),
  (SELECT string_agg(DISTINCT 'REVOKE ALL' || part || ' ON ' || what || ' FROM '
    || CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, '; ') FROM aclexplode(acl))
  || CASE part WHEN '' THEN '; GRANT ALL ON ' || what || ' TO ' || owner::regrole ELSE '' END
  || CASE WHEN type IN ('f', 'T') THEN '; GRANT ALL ON ' || what || ' TO PUBLIC' ELSE '' END
FROM acl WHERE ARRAY(SELECT a::text FROM unnest(acl) a ORDER BY 1) <> ARRAY(SELECT a::text FROM unnest(acldefault(type, owner)) a ORDER BY 1)
UNION ALL
SELECT 60, i.type, i.identity, '-- ' || o.said, 'DROP ' || upper(i.type) || ' ' || i.identity || ' CASCADE' FROM (
  SELECT 'pg_proc'::regclass AS class, oid, (to_jsonb(p) - 'name')::text AS said FROM proc p WHERE prokind = 'a'
  UNION ALL SELECT 'pg_operator'::regclass, oid, to_jsonb(o)::text FROM pg_operator o WHERE oid >= 16384
  UNION ALL SELECT 'pg_opclass'::regclass, oid, to_jsonb(o)::text FROM pg_opclass o WHERE oid >= 16384
  UNION ALL SELECT 'pg_opfamily'::regclass, oid, to_jsonb(o)::text FROM pg_opfamily o WHERE oid >= 16384
  UNION ALL SELECT 'pg_cast'::regclass, oid, to_jsonb(o)::text FROM pg_cast o WHERE oid >= 16384
  UNION ALL SELECT 'pg_conversion'::regclass, oid, to_jsonb(o)::text FROM pg_conversion o WHERE oid >= 16384
  UNION ALL SELECT 'pg_ts_config'::regclass, oid, to_jsonb(o)::text FROM pg_ts_config o WHERE oid >= 16384
  UNION ALL SELECT 'pg_ts_dict'::regclass, oid, to_jsonb(o)::text FROM pg_ts_dict o WHERE oid >= 16384
  UNION ALL SELECT 'pg_foreign_data_wrapper'::regclass, oid, to_jsonb(o)::text FROM pg_foreign_data_wrapper o WHERE oid >= 16384
  UNION ALL SELECT 'pg_foreign_server'::regclass, oid, to_jsonb(o)::text FROM pg_foreign_server o WHERE oid >= 16384
  UNION ALL SELECT 'pg_language'::regclass, oid, to_jsonb(o)::text FROM pg_language o WHERE oid >= 16384
  UNION ALL SELECT 'pg_event_trigger'::regclass, oid, to_jsonb(o)::text FROM pg_event_trigger o WHERE oid >= 16384
  UNION ALL SELECT 'pg_publication'::regclass, oid, to_jsonb(o)::text FROM pg_publication o WHERE oid >= 16384
  UNION ALL SELECT 'pg_default_acl'::regclass, oid, to_jsonb(o)::text FROM pg_default_acl o WHERE oid >= 16384
) o CROSS JOIN LATERAL pg_identify_object(o.class, o.oid, 0) i
WHERE NOT EXISTS (SELECT FROM ext WHERE ext.classid = o.class AND ext.objid = o.oid)
