// Sends one write, in a form that can be repeated: a write of which it is unknown whether it has arrived is found out
// about, and one whose row has changed since is not sent over it.
import type { Failure } from '../../machines/index.ts'
import type { RequestOptions } from '../client/index.ts'
import { isEqual } from '../../trace/index.ts'
import { type Answer, callRest, pick, type RestClient, withValues } from './rest.ts'
import type { Row, Write } from './stored-write.ts'

/** What became of a write. */
export type Sent =
  /** The current row; null after a delete. */
  | { readonly kind: 'delivered'; readonly row: Row | null }
  /** The row is another than the one that the user saw; null: it is gone, or not visible. */
  | { readonly kind: 'asking'; readonly theirs: Row | null }
  /** No retry can help. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** It may have arrived. */
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Milliseconds for one attempt: writes have no time limit otherwise, and an endless one would hold up all others. */
const ATTEMPT = 60_000

/** Longer texts are not compared by the URL, whose length is limited. */
const LONGEST_IN_URL = 200

type Send = (call: Parameters<typeof callRest>[2]) => Promise<Answer>

export async function sendWrite(client: RestClient, write: Write, options: RequestOptions): Promise<Sent> {
  const send: Send = call => callRest(client, write, call, { timeout: ATTEMPT, ...options })
  switch (write.kind) {
    case 'insert':
      return insert(write, send)
    case 'update':
      return update(write, send)
    case 'delete':
      return remove(write, send)
  }
}

const RETURN = 'return=representation'

async function insert(write: Write, send: Send): Promise<Sent> {
  const answer = await send({ method: 'POST', prefer: RETURN, body: write.row })
  if ('rows' in answer) return { kind: 'delivered', row: answer.rows[0] ?? write.row }
  if (answer.failure.code !== '23505') return unsent(answer.failure)
  // A row with this key exists: this one, if the answer to an earlier attempt was lost.
  const result = await find(write, send)
  if ('failure' in result) return unsent(result.failure)
  // Another column is unique.
  if (!result.row) return { kind: 'refused', failure: answer.failure }
  const isSame = await hasValues(write, result.row, write.row, send)
  if (typeof isSame === 'object') return unsent(isSame)
  return isSame ? { kind: 'delivered', row: result.row } : { kind: 'asking', theirs: result.row }
}

async function update(write: Write, send: Send): Promise<Sent> {
  const basis = basisOf(write)
  const answer = await send({
    method: 'PATCH',
    prefer: RETURN,
    query: { and: withValues({ ...pick(write.original, write.primaryKey), ...basis }) },
    body: write.changes,
  })
  if ('failure' in answer) return unsent(answer.failure)
  const [row] = answer.rows
  if (row) return { kind: 'delivered', row }
  const result = await find(write, send)
  if ('failure' in result) return unsent(result.failure)
  if (!result.row) return { kind: 'asking', theirs: null }
  const hasArrived = await hasValues(write, result.row, write.changes, send)
  if (typeof hasArrived === 'object') return unsent(hasArrived)
  if (hasArrived) return { kind: 'delivered', row: result.row }
  const isUntouched = await hasValues(write, result.row, basis, send)
  if (typeof isUntouched === 'object') return unsent(isUntouched)
  return isUntouched
    ? { kind: 'refused', failure: notAllowed('changed') }
    : { kind: 'asking', theirs: result.row }
}

async function remove(write: Write, send: Send): Promise<Sent> {
  const { version } = write
  const basis = version === undefined ? {} : pick(write.original, [version])
  const answer = await send({
    method: 'DELETE',
    prefer: RETURN,
    query: { and: withValues({ ...pick(write.original, write.primaryKey), ...basis }) },
  })
  if ('failure' in answer) return unsent(answer.failure)
  if (answer.rows.length > 0) return { kind: 'delivered', row: null }
  const result = await find(write, send)
  if ('failure' in result) return unsent(result.failure)
  if (!result.row) return { kind: 'delivered', row: null }
  const isUntouched = await hasValues(write, result.row, basis, send)
  if (typeof isUntouched === 'object') return unsent(isUntouched)
  return isUntouched
    ? { kind: 'refused', failure: notAllowed('deleted') }
    : { kind: 'asking', theirs: result.row }
}

/** What an update is based on: the version of the row, or the values that it replaces. */
const basisOf = ({ version, original, changes }: Write): Row =>
  pick(original, version === undefined ? Object.keys(changes) : [version])

const notAllowed = (what: string): Failure => ({
  kind: 'forbidden',
  code: 'no_rows',
  message: `The row is visible and was not ${what}: no policy allows it.`,
})

/** Failures that a later attempt can end without another write: of the connection, the server, the session or the key. */
const RETRYABLE: ReadonlySet<Failure['kind']> = new Set([
  'network',
  'timeout',
  'aborted',
  'auth',
  'apiKey',
  'rateLimit',
  'server',
  'disposed',
  'bug',
  'decode',
])

const unsent = (failure: Failure): Sent => ({
  kind: RETRYABLE.has(failure.kind) ? 'failed' : 'refused',
  failure,
})

type FindResult = { readonly row: Row | undefined } | { readonly failure: Failure }

async function find(write: Write, send: Send): Promise<FindResult> {
  const row = write.kind === 'insert' ? write.row : write.original
  const answer = await send({ query: { and: withValues(pick(row, write.primaryKey)) } })
  return 'failure' in answer ? answer : { row: answer.rows[0] }
}

/**
 * Whether the stored row has these values. PostgreSQL compares those that it writes in another way than the app, such
 * as times and decimals.
 */
async function hasValues(write: Write, stored: Row, values: Row, send: Send): Promise<boolean | Failure> {
  const otherEntries = Object.entries(values).filter(
    ([column, value]) => !isEqual(plain(stored[column]), plain(value)),
  )
  if (otherEntries.length === 0) return true
  if (otherEntries.some(([, value]) => !isComparable(value))) return false
  const key = pick(stored, write.primaryKey)
  const answer = await send({ query: { and: withValues({ ...key, ...Object.fromEntries(otherEntries) }) } })
  if ('failure' in answer) return unsent(answer.failure).kind === 'failed' ? answer.failure : false
  return answer.rows.length > 0
}

const isComparable = (value: unknown): boolean =>
  value instanceof Date ||
  (typeof value === 'string' ? value.length <= LONGEST_IN_URL : typeof value !== 'object' || value === null)

/** As in JSON, where nothing is null. */
const plain = (value: unknown): unknown =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown)
