// Splits a script into statements, and finds those that cannot run inside a transaction, as the Supabase CLI does.

/** A part of a script. */
export interface Part {
  /** Where it starts in the script. */
  readonly start: number
  readonly sql: string
  /** Whether it is one statement that runs outside of a transaction. */
  readonly isOutside: boolean
}

/** On a statement without comments and the contents of quotes, in lower case. */
const OUTSIDE = [
  /^create (?:unique )?index concurrently\b/,
  /^drop index concurrently\b/,
  /^reindex\b.*\bconcurrently\b/,
  /^reindex (?:\(.*\) ?)?(?:schema|database|system)\b/,
  /^alter table\b.*\bdetach partition\b.*\bconcurrently\b/,
  /^vacuum\b/,
  /^cluster\b/,
  /^alter system\b/,
  /^(?:create|drop) (?:database|tablespace)\b/,
]
const MAYBE_OUTSIDE = /\b(?:concurrently|reindex|vacuum|cluster|system|database|tablespace)\b/i

/** Splits a script into such statements and what is between them; most scripts have none. */
export function partsOf(sql: string): readonly Part[] {
  if (!MAYBE_OUTSIDE.test(sql)) return [{ start: 0, sql, isOutside: false }]
  const parts: Part[] = []
  for (const statement of splitStatements(sql)) {
    const isOutside = OUTSIDE.some(pattern => pattern.test(statement.words))
    const before = parts.at(-1)
    if (before && !before.isOutside && !isOutside)
      parts[parts.length - 1] = { ...before, sql: before.sql + statement.sql }
    else parts.push({ start: statement.start, sql: statement.sql, isOutside })
  }
  return parts
}

/** Comments, quoted texts, names, and single other characters. */
const TOKEN =
  /--[^\n]*|\/\*|e'[^'\\]*(?:(?:\\[^]|'')[^'\\]*)*'|'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"|\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|\s+|[^]/giy

export interface Statement {
  /** Where it starts in the script: just after the one before it. */
  readonly start: number
  readonly sql: string
  /** Without comments and the contents of quotes, in lower case; just `;` or empty if there is no statement. */
  readonly words: string
  /** Where its first word starts in the script, after comments. */
  readonly firstWord: number
  /** Where the content of its first quote starts, other than that of a name. */
  readonly firstQuote: number | undefined
}

/** Statements with their semicolons; the rest of the script is the last one. */
export function splitStatements(sql: string): readonly Statement[] {
  const statements: Statement[] = []
  let start = 0
  let words = ''
  let depth = 0
  /** Parts of a body in SQL that end with `end`. */
  let blocks = 0
  let firstWord: number | undefined
  let firstQuote: number | undefined
  const finish = (end: number) => {
    const plain = words.replaceAll(/\s+/g, ' ').trim()
    statements.push({
      start,
      sql: sql.slice(start, end),
      words: plain,
      firstWord: firstWord ?? start,
      firstQuote,
    })
    start = end
    words = ''
    blocks = 0
    firstWord = firstQuote = undefined
  }
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(sql); match; match = TOKEN.exec(sql)) {
    const token = match[0].toLowerCase()
    if (!/^(?:--|\/\*|\s)/.test(token)) firstWord ??= match.index
    if (token.startsWith('--') || token === '/*') {
      if (token === '/*') TOKEN.lastIndex = endOfComment(sql, TOKEN.lastIndex)
      words += ' '
    } else if (/^\$.*\$$/.test(token)) {
      firstQuote ??= TOKEN.lastIndex
      const end = sql.indexOf(match[0], TOKEN.lastIndex)
      TOKEN.lastIndex = end === -1 ? sql.length : end + token.length
      words += '$$'
    } else if (/^e?'|^"/.test(token)) {
      if (!token.startsWith('"')) firstQuote ??= match.index + token.indexOf("'") + 1
      words += token.at(-1)
    } else {
      if (token === '(') depth += 1
      if (token === ')') depth = Math.max(0, depth - 1)
      if (token === 'atomic' && /\bbegin\s+$/.test(words)) blocks = 1
      else if (blocks > 0 && token === 'case') blocks += 1
      else if (blocks > 0 && token === 'end') blocks -= 1
      words += token
      if (token === ';' && depth === 0 && blocks === 0) finish(TOKEN.lastIndex)
    }
  }
  if (start < sql.length) finish(sql.length)
  return statements
}

/** Comments nest. */
function endOfComment(sql: string, from: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = from
  let depth = 1
  for (let match = mark.exec(sql); match; match = mark.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  return sql.length
}
