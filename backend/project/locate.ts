// Finds the statement of a file at which PostgreSQL stopped.
import { ScriptError } from '../database/index.ts'
import { fieldOf, textOf } from '../shared/fields.ts'
import type { Place } from './errors.ts'
import { splitStatements, type Part, type Statement } from './statements.ts'

/** Characters of a statement that an error shows. */
const LONGEST = 500

export function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Statements of a script; a part of comments alone, or of a semicolon, is none. */
export function statementsOf(sql: string): readonly Statement[] {
  return splitStatements(sql).filter(({ words }) => words !== '' && words !== ';')
}

export const lineAt = (sql: string, offset: number): number => {
  let line = 1
  for (let at = sql.indexOf('\n'); at !== -1 && at < offset; at = sql.indexOf('\n', at + 1)) line += 1
  return line
}

/**
 * @param script what ran: the source, in which some statements may differ, but not the lines
 * @returns undefined for an error after all statements, such as that of a deferred constraint
 */
export function locate(
  error: unknown,
  { source, script, part }: { readonly source: string; readonly script: string; readonly part: Part },
): Place | undefined {
  if (!(error instanceof ScriptError)) return undefined
  const { cause, completed } = error
  const position = Number(textOf(cause, 'position') ?? fieldOf(cause, 'position'))
  const statements = statementsOf(part.sql)
  const at = position > 0 ? offsetOf(part.sql, position) : undefined
  const statement =
    at === undefined
      ? statements[completed]
      : (statements.findLast(({ firstWord }) => firstWord <= at) ?? statements[completed])
  if (!statement) return undefined
  const place = part.start + (at ?? statement.firstWord)
  const line = at === undefined ? lineInBlock(cause, statement, part, script) : undefined
  const column = at === undefined ? undefined : columnAt(script, source, place)
  return {
    line: line ?? lineAt(script, place),
    ...(column === undefined ? {} : { column }),
    statement: shorten(inSource(statement, part, script, source)),
  }
}

/** PostgreSQL counts characters from 1; those beyond 16 bits have two places in a string. */
function offsetOf(sql: string, position: number): number {
  let offset = 0
  for (let left = position - 1; left > 0 && offset < sql.length; left -= 1)
    offset += (sql.codePointAt(offset) ?? 0) > 0xff_ff ? 2 : 1
  return offset
}

const IN_BLOCK = /^PL\/pgSQL function inline_code_block line (\d+)/gm

/** The line of the file for a line of a `do` block. */
function lineInBlock(
  cause: unknown,
  { words, firstQuote }: Statement,
  part: Part,
  script: string,
): number | undefined {
  // The last one is the outermost.
  const line = [...(textOf(cause, 'where') ?? '').matchAll(IN_BLOCK)].at(-1)?.[1]
  if (line === undefined || firstQuote === undefined || !/^do\b/.test(words)) return undefined
  return lineAt(script, part.start + firstQuote) + Number(line) - 1
}

/** Undefined in a line that differs. */
function columnAt(script: string, source: string, offset: number): number | undefined {
  const start = script.lastIndexOf('\n', offset - 1) + 1
  const number = lineAt(script, offset) - 1
  const [line = '', executedLine] = [source.split('\n')[number], script.split('\n')[number]]
  return line === executedLine ? Array.from(script.slice(start, offset)).length + 1 : undefined
}

/** The text in the source of a statement that ran. */
function inSource(statement: Statement, part: Part, script: string, source: string): string {
  const text = part.sql.slice(statement.firstWord, statement.start + statement.sql.length).trim()
  if (source === script) return text
  const line = lineAt(script, part.start + statement.firstWord)
  const lineOf = (sql: string) => (statement: Statement) => lineAt(sql, statement.firstWord) === line
  const executed = statementsOf(script).filter(lineOf(script))
  const written = statementsOf(source).filter(lineOf(source))
  const nth = executed.findIndex(({ firstWord }) => firstWord === part.start + statement.firstWord)
  const nthStatement = written[nth]
  return nthStatement
    ? source.slice(nthStatement.firstWord, nthStatement.start + nthStatement.sql.length).trim()
    : text
}
