// Runs a file of SQL of a project, and explains where and why PostgreSQL stops.
import { type Engine, explainMissing, type ExtensionList, ScriptError } from '../database/index.ts'
import { textOf } from '../shared/fields.ts'
import { ProjectError } from './errors.ts'
import type { Migration, SqlFile } from './files.ts'
import { lineAt, locate, shorten, statementsOf } from './locate.ts'
import { type Part, partsOf } from './statements.ts'

export type RunQuery = (sql: string, parameters: unknown[]) => Promise<unknown>

/**
 * @param record runs in the transaction of the last statements
 * @throws ProjectError if the file cannot be read, or PostgreSQL refuses a statement
 */
export async function runFile(
  engine: Engine,
  file: SqlFile | Migration,
  record: (query: RunQuery) => Promise<void>,
): Promise<void> {
  const { driver, extensions, returnToOwner } = engine
  if (file.problem) throw file.problem
  refuseCopy(file)
  const script = await extensions.provideFor(file.sql)
  const parts = partsOf(script)
  const end: Part = { start: script.length, sql: '', isOutside: false }
  let running = end
  try {
    // What is recorded is committed with the last part.
    for (const part of parts.at(-1)?.isOutside === false ? parts : [...parts, end]) {
      running = part
      if (part.isOutside) await engine.runScript(part.sql)
      else
        await driver.transaction(async tx => {
          await engine.runScript(part.sql)
          if (part.start + part.sql.length < script.length) return
          // The file may have changed the role or the search path.
          await tx.exec(`${returnToOwner}; reset all`)
          await record((sql, parameters) => tx.query(sql, parameters))
        })
    }
  } catch (error) {
    throw explain({ file, script, part: running }, error, await extensions.list())
  } finally {
    // Otherwise a file's settings would affect every later request.
    await driver.exec(`${returnToOwner}; reset all; discard temp`)
  }
}

/** @throws ProjectError for a statement that waits for rows which only psql sends */
function refuseCopy({ name, sql }: SqlFile): void {
  if (!/\bfrom\s+stdin\b/i.test(sql)) return
  const copy = statementsOf(sql).find(({ words }) => /^copy\b.*\bfrom stdin\b/.test(words))
  if (!copy) return
  const [statement = ''] = sql.slice(copy.firstWord).split('\n')
  throw new ProjectError(
    name,
    { line: lineAt(sql, copy.firstWord), statement: shorten(statement.trim()) },
    'COPY … FROM STDIN reads rows that only psql sends. Write them as INSERT statements: `pg_dump --inserts`, or `supabase db dump --data-only`.',
  )
}

function explain(
  {
    file,
    script,
    part,
  }: { readonly file: SqlFile | Migration; readonly script: string; readonly part: Part },
  error: unknown,
  list: ExtensionList,
): ProjectError {
  const cause = error instanceof ScriptError ? error.cause : error
  const message = shorten(cause instanceof Error ? cause.message : String(cause))
  const place = locate(error, { source: file.sql, script, part })
  const missing = /^extension "([^"]+)" is not available/.exec(message)?.[1]
  const hints =
    missing === undefined
      ? [textOf(cause, 'detail'), textOf(cause, 'hint'), contextOf(cause), adviceFor(message)]
      : [explainMissing(missing, list)]
  if (!(error instanceof ScriptError) && textOf(cause, 'code')?.startsWith('23'))
    hints.push('This is checked at the end of the transaction.')
  // What the backend has in name only may have worked on the host.
  if (textOf(cause, 'code') === '0A000' && 'version' in file)
    hints.push(`To start without this migration: --skip ${file.version}.`)
  if (part.start > 0) hints.push('The statements before it are kept, as by the Supabase CLI.')
  const sentences = [message, ...hints.filter(hint => hint !== undefined)]
  return new ProjectError(
    file.name,
    place,
    sentences.map(text => text.trim().replace(/[^.?!…]$/, '$&.')).join(' '),
  )
}

/** Which functions were running. */
function contextOf(cause: unknown): string | undefined {
  const where = textOf(cause, 'where')
  // The line of the file says as much.
  if (where === undefined || /^PL\/pgSQL function inline_code_block line \d+ at [\w ]+$/.test(where))
    return undefined
  return `Context: ${shorten(
    where
      .split('\n')
      .map(line => line.trim())
      .join('; '),
  )}`
}

function adviceFor(message: string): string | undefined {
  if (/at or near "\\/.test(message)) return 'psql commands are not SQL. Remove the line.'
  if (/^unterminated (?:quoted|dollar-quoted|bit|hexadecimal)/.test(message))
    return 'The quote that starts here is not closed before the end of the file.'
  if (message.startsWith('unterminated /* comment'))
    return 'The comment that starts here is not closed before the end of the file.'
  return undefined
}
