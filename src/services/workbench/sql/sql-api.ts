// The backend's tool for SQL: what it takes and returns. Only pages of the same origin may use it.
import {
  array,
  boolean,
  type InferOutput,
  literal,
  nullable,
  number,
  object,
  optional,
  picklist,
  safeParse,
  string,
  union,
  variant,
} from 'valibot'
import type { Failure } from '../../../machines/index.ts'
import { SQL_ENDS, type SqlMode } from '../../../machines/workbench/sql-run.ts'
import { RequestError } from '../../runtime/index.ts'

const PATH = '/_chartroom/sql'

const account = object({
  id: string(),
  /** Or phone number. */
  email: nullable(string()),
  role: nullable(string()),
})

const info = object({
  /** PGlite runs in the backend's own process: everything waits while a statement runs. */
  engine: picklist(['pglite', 'server']),
  /** Those that signed in last. */
  accounts: array(account),
  hasMoreAccounts: boolean(),
})

export type SqlInfo = InferOutput<typeof info>

/** A notice or an error of PostgreSQL, in its own words. */
const message = object({
  severity: string(),
  code: string(),
  message: string(),
  detail: optional(string()),
  hint: optional(string()),
  where: optional(string()),
  /** Where in the script, in UTF-16 units. */
  position: optional(number()),
})

export type SqlMessage = InferOutput<typeof message>

const column = object({
  name: string(),
  type: string(),
  /** The column of a table whose value it is, unchanged. */
  origin: optional(object({ schema: string(), table: string(), column: string() })),
  /** How it is edited; or why it is not. Absent for a plan. */
  editing: optional(
    union([
      object({
        /** Places of the columns with the primary key of its table. */
        key: array(number()),
        required: boolean(),
        options: optional(array(string())),
      }),
      object({ readOnly: string() }),
    ]),
  ),
})

export type SqlColumn = InferOutput<typeof column>

const statement = object({
  /** Its place in the script, in UTF-16 units. */
  from: number(),
  to: number(),
  ms: number(),
  /** Absent for a statement without rows. */
  columns: optional(array(column)),
  /** Values as PostgreSQL writes them. */
  rows: array(array(nullable(string()))),
  /** Whether there were more rows, which were not read. */
  hasMore: boolean(),
  tag: optional(string()),
  error: optional(message),
  notices: array(message),
  /** All notices, also those that were dropped. */
  noticeCount: number(),
})

export type SqlStatement = InferOutput<typeof statement>

const report = object({
  end: picklist(SQL_ENDS),
  statements: optional(array(statement), []),
  /** Statements that did not run, after an error or a cancellation. */
  skipped: optional(number(), 0),
  isRolledBack: optional(boolean(), false),
  /** Whether the script left its transaction open, which was rolled back. */
  leftOpen: optional(boolean(), false),
  ms: optional(number()),
})

/** The outcome of a script; only its end, if it was canceled after it had ended. */
export type SqlReport = InferOutput<typeof report>

/** The owner of the database, a role of the API, or a user. */
export type SqlIdentity = 'owner' | 'anon' | 'service_role' | { readonly user: string }

export interface SqlScript {
  readonly id: string
  readonly sql: string
  readonly as: SqlIdentity
  readonly mode: SqlMode
  readonly maxRows: number
  readonly limitMs: number
}

/** A change of a row, by the names in its table. */
export interface SqlEdit {
  readonly as: SqlIdentity
  readonly schema: string
  readonly table: string
  /** The whole primary key. */
  readonly key: readonly KeyPart[]
  readonly cells: readonly CellChange[]
}

export interface KeyPart {
  readonly column: string
  readonly value: string
}

export interface CellChange {
  readonly column: string
  readonly before: string | null
  readonly after: string | null
}

/** Of the changed columns, in their order. */
const values = array(nullable(string()))
const editAnswer = variant('end', [
  /** The values that are stored. */
  object({ end: literal('saved'), values }),
  /** The values that are there instead of those before. */
  object({ end: literal('conflict'), values }),
  /** The row was deleted, or is not visible. */
  object({ end: literal('gone') }),
  object({ end: literal('refused'), error: message }),
])

export type SqlEditAnswer = InferOutput<typeof editAnswer>

export interface SqlApi {
  /** @throws RequestError */
  info(search: string, signal: AbortSignal): Promise<SqlInfo>
  /** Runs a script; aborting closes the connection, which cancels it. @throws RequestError */
  run(script: SqlScript, signal: AbortSignal): Promise<SqlReport>
  /** Cancels a script, and returns its outcome once it has ended. @throws RequestError */
  settle(id: string, signal: AbortSignal): Promise<SqlReport>
  /** Changes a row if its values are still those before. @throws RequestError */
  edit(edit: SqlEdit): Promise<SqlEditAnswer>
}

const NOT_REACHED: Failure = { kind: 'network', message: 'The backend does not respond.' }
const NOT_SQL: Failure = {
  kind: 'notFound',
  message: 'This server does not run SQL. Its backend may be older than this app: reload the app.',
}

/** @param send a fetch for paths of the page's own origin */
export function createSqlApi(send: typeof fetch = fetch): SqlApi {
  const ask = async (path: string, init: RequestInit): Promise<unknown> => {
    const response = await send(`${PATH}${path}`, { ...init, cache: 'no-store' }).catch((error: unknown) => {
      init.signal?.throwIfAborted()
      throw new RequestError({ ...NOT_REACHED, ...(error instanceof TypeError ? {} : { code: 'fetch' }) })
    })
    const body: unknown = await response.json().catch(() => {
      init.signal?.throwIfAborted()
      return undefined
    })
    if (!response.ok) throw new RequestError(failureOf(response.status, body))
    return body
  }
  return {
    async info(search, signal) {
      const query = search === '' ? '' : `?${new URLSearchParams({ search }).toString()}`
      const parsed = safeParse(info, await ask(query, { signal }))
      if (!parsed.success) throw new RequestError(NOT_SQL)
      return parsed.output
    },
    run: async (script, signal) => reportIn(await ask('', { ...sending(script), signal })),
    async edit(edit) {
      const parsed = safeParse(editAnswer, await ask('/edit', sending(edit)))
      if (!parsed.success) throw new RequestError(BROKEN)
      return parsed.output
    },
    settle: async (id, signal) => reportIn(await ask(`/${id}`, { method: 'DELETE', signal })),
  }
}

const sending = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const BROKEN: Failure = { ...NOT_REACHED, message: 'The response of the backend broke off.' }

function reportIn(body: unknown): SqlReport {
  const parsed = safeParse(report, body)
  // A broken response is no answer.
  if (!parsed.success) throw new RequestError(BROKEN)
  return parsed.output
}

const problem = object({ message: string() })

function failureOf(status: number, body: unknown): Failure {
  const parsed = safeParse(problem, body)
  const text = parsed.success ? parsed.output.message : `The server responded with ${status}.`
  if (status === 404) return { kind: 'notFound', status, message: text }
  return { kind: status >= 500 ? 'server' : 'validation', status, message: text }
}
