// PostgreSQL extensions in the SQL of a project.

/**
 * Extensions in every hosted database's dump that are useless outside of the hosted service: here they are
 * empty.
 */
export const EMPTY_EXTENSIONS: readonly string[] = [
  'hypopg',
  'index_advisor',
  'pg_cron',
  'pg_graphql',
  'pg_net',
  'pg_stat_statements',
  'pgaudit',
  'pgjwt',
  'pgsodium',
  'plpgsql_check',
  'supabase_vault',
  'wrappers',
]

const CREATE = /\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?(?:"([^"]+)"|([a-z_][\w$]*))/gi

/** Names after `create extension` anywhere in a script. */
export function extensionsNamed(sql: string): string[] {
  return [...sql.matchAll(CREATE)].map(([, quoted, plain]) => quoted ?? plain?.toLowerCase() ?? '')
}

/** Blanks the statements that create these extensions; positions in the script stay the same. */
export function withoutExtensions(sql: string, names: readonly string[]): string {
  const statement = new RegExp(`${CREATE.source}[^;]*;?`, CREATE.flags)
  return sql.replaceAll(statement, (whole: string, quoted?: string, plain?: string) =>
    names.includes(quoted ?? plain?.toLowerCase() ?? '') ? whole.replaceAll(/[^\n]/g, ' ') : whole,
  )
}
