// What the parts of a review share: sending requests, reading refusals, and adding up outcomes.
import type { CatalogTable } from './catalog.ts'
import type { KnownRows } from './known-rows.ts'
import { byText, parseExact } from './stable.ts'
import {
  type AccessAccount,
  type AccessAnswer,
  AccessError,
  type AccessRequest,
  type Cell,
  type Proof,
  type Reach,
} from './types.ts'

export interface ReviewContext {
  readonly accounts: readonly AccessAccount[]
  readonly knownRows: KnownRows
  /** Whether writes are tried; the backend has proven that it rolls them back. */
  readonly writes: boolean
  /** Rejects if the session or the backend is gone. */
  readonly send: (account: AccessAccount, request: AccessRequest) => Promise<AccessAnswer>
}

/** What became of one attempt. */
export interface Outcome {
  readonly kind: 'allowed' | 'denied' | 'refused' | 'failed'
  readonly code?: string
  readonly message?: string
}

export const ALLOWED: Outcome = { kind: 'allowed' }
export const DENIED: Outcome = { kind: 'denied' }

interface ErrorBody {
  readonly code: string
  readonly message: string
}

export function errorIn({ text, status }: AccessAnswer): ErrorBody {
  const body = parseExact(text)
  const { code, message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >
  return {
    code: typeof code === 'string' ? code : String(status),
    message: [message, error].find(one => typeof one === 'string') ?? `status ${status}`,
  }
}

export const isOk = ({ status }: AccessAnswer): boolean => status >= 200 && status < 300

/** Responses that say nothing about access: the review can't go on. */
const UNAVAILABLE = new Set([429, 502, 503, 504, 520, 521, 522, 540])

/** @throws AccessError if the response is not about access */
export function refuseOutage(answer: AccessAnswer, account: AccessAccount): AccessAnswer {
  if (isOk(answer)) return answer
  const { status } = answer
  const { code, message } = errorIn(answer)
  if (UNAVAILABLE.has(status)) throw new AccessError(`The backend answered ${status}: ${message}`, status)
  if (code === 'PGRST301' || code === 'PGRST303')
    throw new AccessError(
      `The session of ${account.name} is not accepted: ${message}. Sign in again.`,
      status,
    )
  if (status === 401 && /api key/i.test(message))
    throw new AccessError(`The API key is not accepted: ${message}`, status)
  return answer
}

/** Violated constraints are checked after grants and policies. */
const CONSTRAINT = /^23\d\d\d$/
/** Of views that can't be written. */
const UNWRITABLE = new Set(['55000', '42809', '0A000', 'PGRST127'])

/** Classifies a refused write or call. */
export function refusalOf(answer: AccessAnswer): Outcome {
  const { code, message } = errorIn(answer)
  if (CONSTRAINT.test(code)) return ALLOWED
  if (code === '42501')
    return /row-level security/.test(message)
      ? { kind: 'denied', code, message }
      : { kind: 'refused', code, message }
  return { kind: UNWRITABLE.has(code) ? 'refused' : 'failed', code, message }
}

/** One attempt, and the row that it was about. */
export interface Attempt extends Proof {
  readonly outcome: Outcome
}

/** Adds up attempts with the rows of several owners. */
export function cellOf(account: AccessAccount, attempts: readonly Attempt[]): Cell {
  const allowed = attempts.filter(({ outcome }) => outcome.kind === 'allowed')
  const cell = {
    reach: reachOfRows(account, allowed, allowed.length === attempts.length),
    rows: countOwners(allowed),
    proof: proofOf(allowed),
  }
  if (allowed.length > 0) return cell
  const [first] = attempts
  if (first === undefined) return { ...cell, reach: 'untried', message: 'There is no row to try it with.' }
  const kinds = ['failed', 'denied', 'refused'] as const
  const kind = kinds.find(each => attempts.some(({ outcome }) => outcome.kind === each)) ?? 'refused'
  const { code, message } = attempts.find(({ outcome }) => outcome.kind === kind)?.outcome ?? first.outcome
  return {
    ...cell,
    reach: kind === 'denied' ? 'none' : kind,
    ...(kind === 'failed' && code !== undefined ? { code } : {}),
    ...(message === undefined ? {} : { message }),
  }
}

export function reachOfRows(
  account: AccessAccount,
  rows: readonly { owner: string }[],
  isAll: boolean,
): Reach {
  if (rows.length === 0) return 'none'
  if (rows.every(({ owner }) => owner === account.name)) return 'own'
  return isAll ? 'all' : 'some'
}

export function countOwners(rows: readonly { readonly owner: string }[]): Readonly<Record<string, number>> {
  const owners = Map.groupBy(rows, ({ owner }) => owner)
  const counts = [...owners].map(([owner, { length }]): [string, number] => [owner, length])
  return Object.fromEntries(counts.toSorted(([a], [b]) => byText(a, b)))
}

/** Rows per owner that are shown as proof. */
const MAX_EXAMPLES = 3

/** A few rows of each owner. */
export const proofOf = (rows: readonly Proof[]): readonly Proof[] =>
  [...Map.groupBy(rows, ({ owner }) => owner).values()].flatMap(group =>
    group.slice(0, MAX_EXAMPLES).map(({ key, owner, row }) => ({ key, owner, ...(row && { row }) })),
  )

/** The headers that select the schema of a table. */
export const profileOf = ({ schema }: Pick<CatalogTable, 'schema'>): Readonly<Record<string, string>> =>
  schema === 'public' ? {} : { 'accept-profile': schema, 'content-profile': schema }
