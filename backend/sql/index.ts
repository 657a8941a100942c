// `/_chartroom/sql`: runs scripts of the workbench's SQL page, cancels them, edits their results, and lists who may run them.
import type { CancelReason, Database, Queries, SqlMessage } from '../database/index.ts'
import { gatewayError, json } from '../shared/errors.ts'
import { readWhole } from '../shared/request-body.ts'
import { describeColumns, type SqlColumn } from './columns.ts'
import { editRow } from './edit-row.ts'
import { changesSettings, describeEditing, type RanStatement } from './editing.ts'
import { assumeStatement, readCaller, type SqlCaller, UnknownUser } from './identity.ts'
import {
  readRowEdit,
  readScriptRequest,
  type RequestProblem,
  type RowEdit,
  type ScriptRequest,
} from './request.ts'
import { runScript, type ScriptRun } from './run-script.ts'

/** The connection of a request. */
export interface SqlConnection {
  /** Aborts when the user closes it. */
  readonly signal: AbortSignal
  /** Its file descriptor, where the system has them. */
  readonly descriptor: () => number | undefined
}

export type SqlTool = (request: Request, connection: SqlConnection) => Promise<Response>

export interface SqlDependencies {
  readonly database: Database
  readonly url: string
  readonly now: () => number
}

/** How a script ended. */
type ScriptEnd = 'done' | 'failed' | 'canceled' | 'timedOut' | 'tooLarge'

interface PendingScript {
  readonly cancel: AbortController
  readonly finished: Promise<EndedScript>
}

/** A report for the page that canceled, whose first connection is closed; of other scripts, only how they ended. */
type EndedScript = ScriptReport | Pick<ScriptReport, 'end'>

const PATH = '/_chartroom/sql'
const EDIT = 'edit'
const EDIT_LIMIT_MS = 30_000
const MOST_BODY_BYTES = 8 * 1024 * 1024
/** Each has a separate connection to a server. */
const MOST_SCRIPTS = 8
const MOST_ACCOUNTS = 100
/** Ends of scripts that are remembered, for a page that cancels or has lost the connection. */
const MOST_ENDS = 50

/** Handles everything under its path; the gateway has checked the caller. */
export function createSqlTool(dependencies: SqlDependencies): SqlTool {
  const pending = new Map<string, PendingScript>()
  const ends = new Map<string, EndedScript>()
  const remember = (id: string, script: EndedScript, { signal }: SqlConnection) => {
    pending.delete(id)
    const { end } = script
    // Only the last report is held.
    for (const [otherId, earlier] of ends) ends.set(otherId, { end: earlier.end })
    // On PGlite, this thread has not noticed yet that the connection was closed.
    ends.set(id, signal.aborted || end === 'canceled' ? script : { end })
    for (const oldest of ends.keys()) if (ends.size > MOST_ENDS) ends.delete(oldest)
  }
  const run = async (script: ScriptRequest, connection: SqlConnection): Promise<Response> => {
    if (pending.has(script.id)) return gatewayError(409, 'This script is already running')
    if (pending.size >= MOST_SCRIPTS)
      return gatewayError(
        429,
        `${MOST_SCRIPTS} scripts are running. Wait until one has ended, or cancel one.`,
      )
    const cancel = new AbortController()
    const { promise: finished, resolve } = Promise.withResolvers<EndedScript>()
    pending.set(script.id, { cancel, finished })
    let outcome: EndedScript = { end: 'failed' }
    try {
      const signal = AbortSignal.any([connection.signal, cancel.signal])
      const report = await runFor(dependencies, script, { ...connection, signal })
      outcome = report
      // Nothing may follow on this connection, whose end another thread has looked for.
      return answer(200, report, { connection: 'close' })
    } catch (error) {
      if (error instanceof UnknownUser) return gatewayError(422, error.message)
      throw error
    } finally {
      remember(script.id, outcome, connection)
      resolve(outcome)
    }
  }
  const cancel = async (id: string): Promise<Response> => {
    const script = pending.get(id)
    script?.cancel.abort()
    const outcome = script ? await script.finished : ends.get(id)
    return outcome ? answer(200, outcome) : gatewayError(404, 'No such script has run here')
  }
  return async (request, connection) => {
    const { pathname, searchParams } = new URL(request.url)
    const id = pathname.slice(PATH.length + 1)
    if (request.method === 'POST' && id === EDIT) {
      const edit = await readBody(request, readRowEdit)
      return edit instanceof Response ? edit : answerEdit(dependencies, edit, connection)
    }
    if (request.method === 'DELETE' && id !== '') return cancel(id)
    if (id !== '') return gatewayError(404, 'Not Found')
    if (request.method === 'GET') return answer(200, await describe(dependencies, searchParams.get('search')))
    if (request.method !== 'POST') return gatewayError(405, 'Method Not Allowed')
    const script = await readBody(request, readScriptRequest)
    return script instanceof Response ? script : run(script, connection)
  }
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  json(status, body, { 'cache-control': 'no-store', ...headers })

/** A form on another site can't send JSON. */
async function readBody<T extends object>(
  request: Request,
  read: (body: unknown) => T | RequestProblem,
): Promise<T | Response> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    return gatewayError(415, 'The content type must be application/json')
  const bodyBytes = await readWhole(request, MOST_BODY_BYTES)
  if (bodyBytes === 'tooLarge')
    return json(413, { message: 'The script is too long' }, { connection: 'close' })
  const body: unknown = await bodyBytes.json().catch(() => undefined)
  const content = read(body)
  return 'problem' in content ? gatewayError(400, content.problem) : content
}

/** As the caller that ran the script. */
async function answerEdit(
  dependencies: SqlDependencies,
  edit: RowEdit,
  connection: SqlConnection,
): Promise<Response> {
  try {
    const caller = await callerOf(dependencies, edit.as)
    const options = { ...connection, login: loginOf(caller), limitMs: EDIT_LIMIT_MS }
    const end = await dependencies.database.withSqlSession(options, async session => {
      if (caller) await session.run(assumeStatement(caller), 0)
      return editRow(session, edit)
    })
    return answer(200, end, { connection: 'close' })
  } catch (error) {
    if (error instanceof UnknownUser) return gatewayError(422, error.message)
    throw error
  }
}

const callerOf = ({ database, url, now }: SqlDependencies, as: RowEdit['as']) =>
  database.owner(tx => readCaller(tx, as, { issuer: `${url}/auth/v1`, now: now() }))

const loginOf = (caller: SqlCaller | undefined): 'authenticator' | 'owner' =>
  caller ? 'authenticator' : 'owner'

interface ScriptReport extends Omit<ScriptRun, 'statements' | 'canceledBy'> {
  readonly end: ScriptEnd
  readonly statements: readonly StatementReport[]
}

interface StatementReport {
  readonly from: number
  readonly to: number
  readonly ms: number
  /** Absent for a statement without rows. */
  readonly columns?: readonly SqlColumn[] | undefined
  readonly rows: readonly (readonly (string | null)[])[]
  readonly hasMore: boolean
  readonly tag?: string | undefined
  readonly error?: SqlMessage | undefined
  readonly notices: readonly SqlMessage[]
  readonly noticeCount: number
}

async function runFor(
  dependencies: SqlDependencies,
  script: ScriptRequest,
  connection: SqlConnection,
): Promise<ScriptReport> {
  const { database } = dependencies
  const caller = await callerOf(dependencies, script.as)
  const options = { ...connection, login: loginOf(caller), limitMs: script.limitMs }
  const run = await database.withSqlSession(options, async session => {
    if (caller) await session.run(assumeStatement(caller), 0)
    return runScript(session, script, () => connection.signal.aborted)
  })
  const columns = await database.owner(tx => columnsOf(tx, run, script))
  const { statements, canceledBy, ...result } = run
  return {
    ...result,
    end: endOf(run),
    statements: statements.map(({ from, to, ms, outcome }, at) => ({
      from,
      to,
      ms,
      columns: columns[at],
      rows: outcome.rows,
      hasMore: outcome.hasMore,
      tag: outcome.tag,
      error: outcome.error && explained(outcome.error, canceledBy, caller),
      notices: outcome.notices,
      noticeCount: outcome.noticeCount,
    })),
  }
}

async function columnsOf(
  tx: Pick<Queries, 'query'>,
  { statements }: ScriptRun,
  { sql, mode }: ScriptRequest,
): Promise<readonly (readonly SqlColumn[] | undefined)[]> {
  const columns = await describeColumns(
    tx,
    statements.map(({ outcome }) => outcome.fields),
  )
  if (mode === 'explain' || mode === 'explainAnalyze') return columns
  const editing = await describeEditing(tx, ranStatements(statements, sql))
  return columns.map((each, at) =>
    each?.map((column, place) => ({ ...column, editing: editing[at]?.[place] })),
  )
}

function ranStatements(statements: ScriptRun['statements'], sql: string): readonly RanStatement[] {
  let isAfterSettings = false
  return statements.map(({ from, to, outcome: { fields } }) => {
    const statement = { sql: sql.slice(from, to), fields, isAfterSettings }
    isAfterSettings ||= changesSettings(statement.sql)
    return statement
  })
}

const ENDS = { user: 'canceled', timeLimit: 'timedOut', size: 'tooLarge' } as const

function endOf({ canceledBy, statements }: ScriptRun): ScriptEnd {
  const hasFailed = statements.some(({ outcome }) => outcome.error)
  if (!hasFailed) return canceledBy === 'user' ? 'canceled' : 'done'
  if (canceledBy === undefined) return 'failed'
  return ENDS[canceledBy]
}

const CANCELED = '57014'

/** A role may have a statement timeout, as for requests. */
function explained(
  error: SqlMessage,
  canceledBy: CancelReason | undefined,
  caller: SqlCaller | undefined,
): SqlMessage {
  const limit = caller?.settings['statement_timeout']
  if (error.code !== CANCELED || canceledBy !== undefined || limit === undefined) return error
  return {
    ...error,
    hint: `The role ${caller?.claims.role} has statement_timeout = ${limit}, which also limits its requests.`,
  }
}

/** The engine, and the accounts whose email, phone or id contains a text. */
async function describe({ database }: SqlDependencies, search: string | null): Promise<unknown> {
  const accounts = await database.owner(({ query }) =>
    query<{ id: string; email: string | null; role: string | null }>(
      `select id::text as id, coalesce(nullif(email, ''), nullif(phone, '')) as email, role from auth.users
       where deleted_at is null
         and ($1::text is null or position(lower($1) in lower(concat_ws(' ', email, phone, id::text))) > 0)
       order by last_sign_in_at desc nulls last, created_at desc limit ${MOST_ACCOUNTS + 1}`,
      [search === '' ? null : search],
    ),
  )
  return {
    engine: database.exclusive ? 'pglite' : 'server',
    accounts: accounts.slice(0, MOST_ACCOUNTS),
    hasMoreAccounts: accounts.length > MOST_ACCOUNTS,
  }
}
