// Reviews a function: whose rows each account gets from it, with arguments for itself and for others.
import type { CatalogFunction } from './catalog.ts'
import {
  type Attempt,
  ALLOWED,
  cellOf,
  countOwners,
  isOk,
  type Outcome,
  profileOf,
  proofOf,
  reachOfRows,
  refusalOf,
  type ReviewContext,
} from './context.ts'
import { assertRolledBack, sampleOf } from './review-table.ts'
import { hashOf, parseExact, stableText } from './stable.ts'
import { type AccessAccount, type Cell, type JsonRow, NO_OWNER, type Proof } from './types.ts'

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' }

/** Calls are limited, so that a function with many arguments does not take over the review. */
const MOST_CALLS = 6

interface Call {
  readonly owner: string
  readonly args: JsonRow
}

/** One call with values of each account, and one with values without an owner; without duplicates. */
function callsOf({ accounts, knownRows }: ReviewContext, { args }: CatalogFunction): readonly Call[] {
  const needed = args.filter(({ hasDefault, name }) => !hasDefault && name !== '')
  const owners = [...accounts.filter(({ userId }) => userId !== undefined).map(({ name }) => name), NO_OWNER]
  const calls = owners.map(owner => {
    const userId = accounts.find(({ name }) => name === owner)?.userId
    const values = needed.map(({ name, type }): readonly [string, unknown] => {
      const values = knownRows.valuesFor(name)
      const ownValue = values.find(each => each.owner === owner)
      if (ownValue) return [name, ownValue.value]
      if (type === 'uuid' && userId !== undefined) return [name, userId]
      return [name, values[0]?.value ?? sampleOf(type)]
    })
    return { owner, args: Object.fromEntries(values) }
  })
  const unique = new Map(calls.toReversed().map(call => [JSON.stringify(call.args), call]))
  return [...unique.values()].toReversed().slice(0, MOST_CALLS)
}

/** Undefined for a function that can't be tried without keeping what it writes. */
export async function callFunction(
  context: ReviewContext,
  called: CatalogFunction,
  account: AccessAccount,
): Promise<Cell> {
  if (called.isVolatile && !context.writes)
    return {
      reach: 'untried',
      rows: {},
      proof: [],
      message: 'It may write, and this backend does not roll back writes.',
    }
  const attempts: (Attempt & { readonly rows: readonly unknown[] })[] = []
  for (const { owner, args } of callsOf(context, called)) {
    const { outcome, result } = await call(context, called, { account, args })
    const key = `${called.name}(${stableText(JSON.stringify(args), context.accounts).replaceAll(/^\{|\}$/g, '')})`
    attempts.push({ key, owner, outcome, rows: rowsIn(result) })
    if (outcome.kind === 'refused') break
  }
  const answered = attempts.filter(({ outcome }) => outcome.kind === 'allowed')
  if (answered.length === 0) return cellOf(account, attempts)
  return { ...resultCell(context, account, answered), ...failuresOf(attempts) }
}

const failuresOf = (attempts: readonly Attempt[]) => {
  const failed = attempts.find(({ outcome }) => outcome.kind === 'failed')?.outcome
  return failed?.code === undefined ? {} : { code: failed.code }
}

function rowsIn(result: unknown): readonly unknown[] {
  if (result === null || result === undefined) return []
  return Array.isArray(result) ? result : [result]
}

function resultCell(
  { accounts, knownRows }: ReviewContext,
  account: AccessAccount,
  attempts: readonly (Proof & { readonly rows: readonly unknown[] })[],
): Cell {
  const proofs = new Map<string, Proof>()
  // A number or a text is a result, not a row: it counts in the hash only.
  for (const { rows, key } of attempts)
    for (const row of rows)
      if (typeof row === 'object' && row !== null)
        proofs.set(JSON.stringify(row), { key, owner: knownRows.ownerIn(row), row: row as JsonRow })
  const rows = [...proofs.values()]
  const isOwned = rows.some(({ owner }) => owner !== NO_OWNER)
  return {
    reach: isOwned ? reachOfRows(account, rows, false) : 'runs',
    rows: countOwners(rows),
    hash: hashOf(attempts.map(({ rows: one, key }) => `${key} ${stableText(JSON.stringify(one), accounts)}`)),
    proof: rows.length > 0 ? proofOf(rows) : proofOf(attempts),
  }
}

async function call(
  { send, writes }: ReviewContext,
  called: CatalogFunction,
  { account, args }: { readonly account: AccessAccount; readonly args: JsonRow },
): Promise<{ readonly outcome: Outcome; readonly result?: unknown }> {
  const path = `/rest/v1/rpc/${encodeURIComponent(called.name)}`
  const headers = { ...profileOf(called), ...JSON_HEADERS, prefer: 'tx=rollback' }
  const query = new URLSearchParams(
    Object.entries(args).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()
  // Read-only transactions, where writes are not rolled back.
  const answer = writes
    ? await send(account, { method: 'POST', path, headers, body: JSON.stringify(args) })
    : await send(account, { method: 'GET', path: query === '' ? path : `${path}?${query}`, headers })
  if (!isOk(answer)) return { outcome: refusalOf(answer) }
  if (writes) assertRolledBack(answer, `the call of ${called.name}`)
  return { outcome: ALLOWED, result: parseExact(answer.text) }
}

/** Calls an Edge Function, which runs for real. */
export async function callEdgeFunction(
  { send }: ReviewContext,
  name: string,
  account: AccessAccount,
): Promise<Cell> {
  const path = `/functions/v1/${encodeURIComponent(name)}`
  const { status, text } = await send(account, { method: 'POST', path, headers: JSON_HEADERS, body: '{}' })
  const cell = { rows: {}, code: String(status), proof: [] }
  if (status === 401 || status === 403) return { ...cell, reach: 'refused', message: text.slice(0, 200) }
  return {
    ...cell,
    reach: status < 400 ? 'runs' : 'failed',
    ...(status < 400 ? {} : { message: text.slice(0, 200) }),
  }
}
