// PostgreSQL extensions in the SQL of a project.

const NAME = String.raw`(?:"([^"]+)"|([a-z_][\w$]*))`
const CREATE = new RegExp(String.raw`\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?${NAME}`, 'gi')
/** In a text, quotes are doubled. */
const VERSION = String.raw`(?:'+([^']+)'+|"([^"]+)"|([a-z_][\w$]*))`
/** What may follow the name. */
const OPTION = String.raw`(?:with|cascade|update|set|(?:schema|version|to)\s+(?:'+[^']+'+|"[^"]+"|[a-z_][\w$]*))(?![\w$])`
const CHANGE = new RegExp(
  String.raw`\b(create|alter)\s+extension\s+(if\s+not\s+exists\s+)?${NAME}((?:\s+${OPTION})*)`,
  'gi',
)
const CREATED_VERSION = new RegExp(String.raw`\bversion\s+${VERSION}`, 'i')
const UPDATED_VERSION = new RegExp(String.raw`^\s*update\s+to\s+${VERSION}`, 'i')

/** Of hosted projects, some have these from the start, and others do not. */
const SOMETIMES_FROM_START = String.raw`(?=\s+"?(?:pg_graphql|pg_net|pgjwt|pgsodium)"?(?![\w"]))`
const BARE_CREATE = new RegExp(String.raw`\bcreate\s+extension${SOMETIMES_FROM_START}`, 'gi')
const BARE_DROP = new RegExp(String.raw`\bdrop\s+extension${SOMETIMES_FROM_START}`, 'gi')

const nameOf = (quoted: string | undefined, plain: string | undefined) => quoted ?? plain?.toLowerCase() ?? ''

/** A statement that creates or changes an extension. */
export interface ExtensionStatement {
  readonly kind: 'create' | 'update' | 'alter'
  readonly name: string
  /** What it names, if it does. */
  readonly version: string | undefined
  readonly ifNotExists: boolean
  /** What follows the name. */
  readonly rest: string
}

/** Names after `create extension` anywhere in a script. */
export function extensionsNamed(sql: string): string[] {
  return [...sql.matchAll(CREATE)].map(([, quoted, plain]) => nameOf(quoted, plain))
}

/** Statements that create or change extensions, anywhere in a script. */
export function extensionStatements(sql: string): ExtensionStatement[] {
  return [...sql.matchAll(CHANGE)].map(match => readStatement(match.slice(1)))
}

function readStatement([verb, condition, quoted, plain, rest = '']: readonly (
  string | undefined
)[]): ExtensionStatement {
  const isCreate = verb?.toLowerCase() === 'create'
  const [, literal, quotedVersion, plainVersion] =
    (isCreate ? CREATED_VERSION : UPDATED_VERSION).exec(rest) ?? []
  return {
    kind: isCreate ? 'create' : /^\s*update\b/i.test(rest) ? 'update' : 'alter',
    name: nameOf(quoted, plain),
    version: literal ?? quotedVersion ?? plainVersion?.toLowerCase(),
    ifNotExists: condition !== undefined,
    rest,
  }
}

/** Replaces statements that create or change extensions; the lines of the script stay the same. */
export function replaceExtensions(
  sql: string,
  replace: (statement: ExtensionStatement) => string | undefined,
): string {
  return sql.replaceAll(CHANGE, (match: string, ...parts: (string | undefined)[]) => {
    const instead = replace(readStatement(parts.slice(0, 5)))
    if (instead === undefined) return match
    return `${instead}${match.replaceAll(/[^\n]/g, '')}`
  })
}

/**
 * A script that creates and drops extensions which only some hosted projects have from the start, whether this
 * database has them or not; its lines stay the same.
 */
export function asOnEitherProject(sql: string): string {
  return sql
    .replaceAll(BARE_CREATE, match => `${match} if not exists`)
    .replaceAll(BARE_DROP, match => `${match} if exists`)
}
