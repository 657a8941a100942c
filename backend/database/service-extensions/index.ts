// Extensions of the hosted service that the backend provides itself: scripts of SQL, with the backend's workers
// behind them.
import { AUTOINC_SCRIPT, INSERT_USERNAME_SCRIPT, MODDATETIME_SCRIPT } from './contrib.ts'
import { CRON_SCRIPT } from './cron.ts'
import { HTTP_SCRIPT } from './http.ts'
import { JSONSCHEMA_SCRIPT } from './jsonschema.ts'
import {
  DBLINK_SCRIPT,
  GRAPHQL_SCRIPT,
  HYPOPG_SCRIPT,
  INDEX_ADVISOR_SCRIPT,
  PG_REPACK_SCRIPT,
  PG_TLE_SCRIPT,
  PGSODIUM_SCRIPT,
  PLPGSQL_CHECK_SCRIPT,
  PREWARM_SCRIPT,
  REFINT_SCRIPT,
  STAT_STATEMENTS_SCRIPT,
  WRAPPERS_SCRIPT,
} from './named.ts'
import { NET_SCRIPT } from './net.ts'
import { PGJWT_SCRIPT } from './pgjwt.ts'
import { PGMQ_SCRIPT } from './pgmq.ts'
import { VAULT_SCRIPT } from './vault.ts'

export { CRON_CHANNEL, CRON_SYNTAX } from './cron.ts'
export { NET_CHANNEL, WEBHOOKS_SCRIPT } from './net.ts'
export { VAULT_KEY } from './vault.ts'

export interface OwnExtension {
  /** What `create extension` runs. `@extschema@` is the schema, which then cannot be changed. */
  readonly script: string
  /** The default version of hosted projects. */
  readonly version: string
  /** Whether it does what the real one does. Others are listed at the start if a project creates them. */
  readonly works: boolean
  readonly requires?: string
  /** The schema that it always has, and creates; others are installed where the statement says. */
  readonly home?: string
}

const working = (version: string, script: string): OwnExtension => ({ script, version, works: true })
const emptyExtension = (version: string, script = ''): OwnExtension => ({ script, version, works: false })

/** Used where the engine does not have the real ones. */
export const OWN_EXTENSIONS: Readonly<Record<string, OwnExtension>> = {
  autoinc: working('1.0', AUTOINC_SCRIPT),
  dblink: emptyExtension('1.2', DBLINK_SCRIPT),
  http: emptyExtension('1.6', HTTP_SCRIPT),
  hypopg: emptyExtension('1.4.1', HYPOPG_SCRIPT),
  index_advisor: { ...emptyExtension('0.2.0', INDEX_ADVISOR_SCRIPT), requires: 'hypopg' },
  insert_username: working('1.0', INSERT_USERNAME_SCRIPT),
  moddatetime: working('1.0', MODDATETIME_SCRIPT),
  pg_cron: working('1.6.4', CRON_SCRIPT),
  pg_graphql: { ...emptyExtension('1.5.11', GRAPHQL_SCRIPT), home: 'graphql' },
  pg_jsonschema: working('0.3.3', JSONSCHEMA_SCRIPT),
  pg_net: working('0.19.5', NET_SCRIPT),
  pg_prewarm: emptyExtension('1.2', PREWARM_SCRIPT),
  pg_repack: emptyExtension('1.5.2', PG_REPACK_SCRIPT),
  pg_stat_monitor: emptyExtension('2.1'),
  pg_stat_statements: emptyExtension('1.11', STAT_STATEMENTS_SCRIPT),
  pg_tle: { ...emptyExtension('1.4.0', PG_TLE_SCRIPT), home: 'pgtle' },
  pgaudit: emptyExtension('17.0'),
  pgjwt: { ...working('0.2.0', PGJWT_SCRIPT), requires: 'pgcrypto' },
  pgmq: { ...working('1.5.1', PGMQ_SCRIPT), home: 'pgmq' },
  pgrowlocks: emptyExtension('1.2'),
  pgsodium: { ...emptyExtension('3.1.8', PGSODIUM_SCRIPT), home: 'pgsodium' },
  pgstattuple: emptyExtension('1.5'),
  plpgsql_check: emptyExtension('2.7', PLPGSQL_CHECK_SCRIPT),
  refint: emptyExtension('1.0', REFINT_SCRIPT),
  sslinfo: emptyExtension('1.2'),
  supabase_vault: working('0.3.1', VAULT_SCRIPT),
  wrappers: emptyExtension('0.5.6', WRAPPERS_SCRIPT),
  xml2: emptyExtension('1.1'),
}

/** Those that run from the start, with the backend's workers; other engines than PGlite run their scripts as well. */
export const SERVICES = ['http', 'pg_cron', 'pg_net', 'supabase_vault'] as const
