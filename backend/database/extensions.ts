// PostgreSQL extensions in the SQL of a project.

/**
 * Extensions of hosted databases without their functionality: they are empty, and functions of `http` explain why
 * they fail.
 */
export const EMPTY_EXTENSIONS: readonly string[] = [
  'http',
  'hypopg',
  'index_advisor',
  'pg_graphql',
  'pg_stat_statements',
  'pgaudit',
  'pgjwt',
  'pgsodium',
  'plpgsql_check',
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
