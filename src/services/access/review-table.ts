// Reviews a table: which rows each account reads, and which it could write, in transactions that are rolled back.
import { type CatalogColumn, type CatalogTable, nameIn } from './catalog.ts'
import {
  ALLOWED,
  type Attempt,
  cellOf,
  countOwners,
  DENIED,
  isOk,
  type Outcome,
  profileOf,
  proofOf,
  reachOfRows,
  refusalOf,
  type ReviewContext,
} from './context.ts'
import { type KnownRow, keysOf, textOf } from './known-rows.ts'
import { hashOf, parseExact, stableText } from './stable.ts'
import { type AccessAccount, AccessError, type AccessAnswer, type Cell, type JsonRow } from './types.ts'

/** Rows that are read and compared; the count includes the others. */
const MOST_ROWS = 1000
/** Status of a page after the last row. */
const NO_MORE = 416
/** Rows of each owner with which writes are tried. */
const SAMPLES = 2

/** What an account reads of a table. */
export interface TableRead {
  readonly rows: readonly JsonRow[]
  readonly total: number
  readonly hidden: readonly string[]
  readonly outcome: Outcome
}

const pathOf = ({ name }: CatalogTable, query: readonly (readonly [string, string])[] = []): string => {
  const search = new URLSearchParams(query.map(([key, value]): [string, string] => [key, value])).toString()
  return `/rest/v1/${encodeURIComponent(name)}${search === '' ? '' : `?${search}`}`
}

/** Reads the rows that an account sees; if grants hide columns, the remaining ones. */
export async function readTable(
  context: ReviewContext,
  table: CatalogTable,
  account: AccessAccount,
): Promise<TableRead> {
  const allColumns = await readColumns(context, table, account, undefined)
  if (allColumns.outcome.code !== '42501' || table.columnGrants === false || table.columns.length < 2)
    return allColumns
  const readable: CatalogColumn[] = []
  for (const column of table.columns) {
    const query = [
      ['select', column.name],
      ['limit', '0'],
    ] as const
    const headers = { ...profileOf(table), accept: 'application/json' }
    if (isOk(await context.send(account, { method: 'GET', path: pathOf(table, query), headers })))
      readable.push(column)
  }
  if (readable.length === 0) return allColumns
  const hidden = table.columns.filter(column => !readable.includes(column)).map(({ name }) => name)
  return { ...(await readColumns(context, table, account, readable)), hidden }
}

async function readColumns(
  { send }: ReviewContext,
  table: CatalogTable,
  account: AccessAccount,
  columns: readonly CatalogColumn[] | undefined,
): Promise<TableRead> {
  const keys = keysOf(table).filter(column => columns?.includes(column) ?? true)
  const isKeyed = keys.length > 0 && keys.length === keysOf(table).length
  const read: JsonRow[] = []
  const names = new Set<string>()
  let total: number | undefined
  // A server may return fewer rows at once than requested.
  for (;;) {
    const answer = await send(account, {
      method: 'GET',
      path: pathOf(table, [
        ['select', columns?.map(({ name }) => name).join(',') ?? '*'],
        ...(keys.length > 0 ? [['order', keys.map(({ name }) => name).join(',')] as const] : []),
        ...(read.length > 0 ? [['offset', String(read.length)] as const] : []),
        ['limit', String(MOST_ROWS - read.length)],
      ]),
      headers: { ...profileOf(table), accept: 'application/json', prefer: 'count=exact' },
    })
    const rows = answer.status === NO_MORE ? [] : parseExact(answer.text)
    if ((answer.status !== NO_MORE && !isOk(answer)) || !Array.isArray(rows))
      return { rows: [], total: 0, hidden: [], outcome: refusalOf(answer) }
    // A server that ignores the offset sends the same rows again.
    const fresh = (rows as readonly JsonRow[]).filter(row => !isKeyed || !names.has(idOf(keys, row)))
    if (isKeyed) for (const row of fresh) names.add(idOf(keys, row))
    read.push(...fresh)
    const counted = /\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1]
    total = counted === undefined ? total : Number(counted)
    const isEnd = fresh.length === 0 || read.length >= MOST_ROWS || read.length >= (total ?? Infinity)
    if (!isEnd) continue
    const isPart = total === undefined && rows.length > 0
    return {
      rows: read,
      // Without a count, there is at least one row more.
      total: Math.max(read.length, total ?? read.length + Number(isPart)),
      hidden: [],
      outcome: read.length > 0 ? ALLOWED : DENIED,
    }
  }
}

const idOf = (keys: readonly CatalogColumn[], row: JsonRow): string =>
  JSON.stringify(keys.map(({ name }) => textOf(row[name])))

/** Describes what an account reads, once all accounts have read. */
export function readCell(
  { knownRows, accounts }: ReviewContext,
  table: CatalogTable,
  { account, read }: { readonly account: AccessAccount; readonly read: TableRead },
): Cell {
  const { rows, total, hidden, outcome } = read
  if (rows.length === 0 && outcome.kind !== 'denied')
    return {
      reach: outcome.kind === 'refused' ? 'refused' : 'failed',
      rows: {},
      proof: [],
      ...(outcome.kind === 'failed' && outcome.code !== undefined ? { code: outcome.code } : {}),
      ...(outcome.message === undefined ? {} : { message: outcome.message }),
    }
  const all = knownRows.rowsOf(table)
  const proofs = rows.map(row => ({
    row,
    owner: knownRows.ownerOf(table, row),
    key: knownRows.idOf(table, row) ?? 'a row',
  }))
  const counts = countOwners(proofs)
  const moreCount = total - rows.length
  return {
    reach: reachOfRows(account, proofs, rows.length >= all.length),
    rows: moreCount > 0 ? { ...counts, 'not read': moreCount } : counts,
    hash: hashOf(rows.map(row => stableText(JSON.stringify(row), accounts))),
    ...(hidden.length > 0 ? { hidden } : {}),
    proof: proofOf(proofs),
  }
}

export interface WriteCells {
  readonly insert: Cell
  readonly update: Cell
  readonly delete: Cell
}

/** Tries to write rows of every owner as an account. */
export async function tryWrites(
  context: ReviewContext,
  table: CatalogTable,
  account: AccessAccount,
): Promise<WriteCells> {
  // Rows without an owner may still be visible to different accounts: those of a team.
  const groups = Map.groupBy(context.knownRows.rowsOf(table), ({ owner, seenBy }) => `${owner} ${seenBy}`)
  const samples = [...groups.values()].flatMap(group => group.slice(0, SAMPLES))
  const writer = new TableWriter(context, table, account)
  const updates = await writer.update(samples)
  return { update: updates, insert: await writer.insert(samples), delete: await writer.delete(samples) }
}

/** The filter that matches no row, to find out whether there is a grant. */
const nothing = (column: CatalogColumn): readonly (readonly [string, string])[] => [
  [column.name, 'is.null'],
  [column.name, 'not.is.null'],
]

/** Writes to a table as one account; every write is rolled back. */
class TableWriter {
  readonly #context: ReviewContext
  readonly #table: CatalogTable
  readonly #account: AccessAccount
  readonly #keys: readonly CatalogColumn[]
  /** Without keys and what the database generates. */
  readonly #settable: readonly CatalogColumn[]

  constructor(context: ReviewContext, table: CatalogTable, account: AccessAccount) {
    this.#context = context
    this.#table = table
    this.#account = account
    this.#keys = keysOf(table)
    const plain = table.columns.filter(({ isKey, made: isGenerated }) => !isKey && !isGenerated)
    this.#settable = plain.length > 0 ? plain : this.#keys.filter(({ made: isGenerated }) => !isGenerated)
  }

  /** Sets columns to the values that they have; then whether the row can be given to another account. */
  async update(samples: readonly KnownRow[]): Promise<Cell> {
    const attempts: Attempt[] = []
    let columns = this.#settable
    for (const sample of samples) {
      let outcome = await this.#patch(sample, columns)
      if (columns === this.#settable && this.#mayDependOnColumns(outcome)) {
        const single = await this.#settableAlone(sample)
        if (single.length > 0) {
          columns = single
          outcome = await this.#patch(sample, columns)
        }
      }
      if (outcome.kind === 'denied') outcome = await this.#take(sample, outcome)
      attempts.push(this.#attempt(sample, outcome))
      if (outcome.kind === 'refused') break
    }
    if (samples.length === 0) attempts.push(...(await this.#whetherGranted('PATCH')))
    const cell = cellOf(this.#account, attempts)
    const givesTo = await this.#givesTo(attempts, samples)
    return {
      ...cell,
      ...(columns === this.#settable ? {} : { columns: columns.map(({ name }) => name) }),
      ...(givesTo.length > 0 ? { givesTo } : {}),
    }
  }

  /** A grant may name columns, and a trigger refuse some. */
  #mayDependOnColumns({ kind }: Outcome): boolean {
    return kind === 'failed' || (kind === 'refused' && this.#table.columnGrants !== false)
  }

  /** Sets the owner to the account itself: a check of only the new row permits it. */
  async #take({ row, owner }: KnownRow, refused: Outcome): Promise<Outcome> {
    const column = this.#context.knownRows.ownerColumn(this.#table)
    const { userId, name } = this.#account
    if (refused.code === undefined || column === undefined || userId === undefined || owner === name)
      return refused
    const patched = await this.#send('PATCH', { row, body: { [column]: userId } })
    return patched.kind === 'allowed' ? patched : refused
  }

  /** The columns that can be set one by one: grants may name columns. */
  async #settableAlone(sample: KnownRow): Promise<readonly CatalogColumn[]> {
    const columns: CatalogColumn[] = []
    for (const column of this.#settable) {
      const { kind } = await this.#patch(sample, [column])
      if (kind === 'allowed' || kind === 'denied') columns.push(column)
    }
    return columns
  }

  async #givesTo(attempts: readonly Attempt[], samples: readonly KnownRow[]): Promise<readonly string[]> {
    const { knownRows, accounts } = this.#context
    const column = knownRows.ownerColumn(this.#table)
    const at = attempts.findIndex(
      ({ owner, outcome }) => owner === this.#account.name && outcome.kind === 'allowed',
    )
    const sample = samples[at]
    if (column === undefined || !sample) return []
    const columns: string[] = []
    for (const { userId, name } of accounts) {
      if (userId === undefined || userId === this.#account.userId) continue
      const { kind } = await this.#send('PATCH', { row: sample.row, body: { [column]: userId } })
      if (kind === 'allowed') columns.push(name)
    }
    return columns
  }

  async delete(samples: readonly KnownRow[]): Promise<Cell> {
    const attempts: Attempt[] = []
    for (const sample of samples) {
      const outcome = await this.#send('DELETE', { row: sample.row })
      attempts.push(this.#attempt(sample, outcome))
      if (outcome.kind === 'refused') break
    }
    if (samples.length === 0) attempts.push(...(await this.#whetherGranted('DELETE')))
    return cellOf(this.#account, attempts)
  }

  /** Inserts a copy of a row of each owner, with new keys. */
  async insert(samples: readonly KnownRow[]): Promise<Cell> {
    const attempts: Attempt[] = []
    for (const template of this.#templates(samples)) {
      const fullBody = bodyOf(this.#table, template.row)
      let outcome = await this.#send('POST', { body: fullBody })
      if (outcome.kind === 'refused' && this.#table.columnGrants !== false)
        outcome = await this.#send('POST', { body: this.#needed(fullBody) })
      attempts.push({ key: 'a new row', owner: template.owner, row: fullBody, outcome })
      if (outcome.kind === 'refused') break
    }
    return cellOf(this.#account, attempts)
  }

  /** One row of each owner; an account without one gets a copy of another's. */
  #templates(samples: readonly KnownRow[]): readonly KnownRow[] {
    const { accounts, knownRows } = this.#context
    const column = knownRows.ownerColumn(this.#table)
    const [first] = samples
    const owners = accounts.flatMap(({ userId, name }) => {
      const ownSample = samples.find(({ owner }) => owner === name)
      if (ownSample) return [ownSample]
      const isOwnable = userId !== undefined && column !== undefined && first !== undefined
      return isOwnable ? [{ ...first, row: { ...first.row, [column]: userId }, owner: name }] : []
    })
    const otherSamples = samples.filter(({ owner }) => !accounts.some(({ name }) => name === owner))
    const groups = Map.groupBy(otherSamples, ({ owner, seenBy }) => `${owner} ${seenBy}`)
    const templates = [...owners, ...[...groups.values()].flatMap(group => group.slice(0, 1))]
    if (templates.length > 0) return templates
    return [{ row: emptyRow(this.#table), owner: this.#account.name, seenBy: '' }]
  }

  /** Grants may allow some columns only: those that an insert needs, and the owner. */
  #needed(body: JsonRow): JsonRow {
    const owner = this.#context.knownRows.ownerColumn(this.#table)
    const needed = this.#table.columns.filter(
      ({ name, required, hasDefault }) => (required && !hasDefault) || name === owner,
    )
    return Object.fromEntries(
      needed.flatMap(({ name }) => (body[name] === undefined ? [] : [[name, body[name]]])),
    )
  }

  /** Sets columns to their own values; a column that no account reads, to some value of its type. */
  async #patch({ row }: KnownRow, columns: readonly CatalogColumn[]): Promise<Outcome> {
    const values = columns.map(({ name, type, options }): [string, unknown] => [
      name,
      row[name] === undefined ? (options?.[0] ?? sampleOf(type)) : row[name],
    ])
    return values.length === 0 ? DENIED : this.#send('PATCH', { row, body: Object.fromEntries(values) })
  }

  /** Without rows: whether the role may use the operation at all. */
  async #whetherGranted(method: 'PATCH' | 'DELETE'): Promise<readonly Attempt[]> {
    const [column] = this.#settable
    if (column === undefined) return []
    const body = method === 'PATCH' ? { [column.name]: null } : undefined
    const outcome = await this.#send(method, { query: nothing(column), ...(body && { body }) })
    return outcome.kind === 'denied' ? [] : [{ key: 'no row', owner: this.#account.name, outcome }]
  }

  #attempt({ row, owner }: KnownRow, outcome: Outcome): Attempt {
    return { key: this.#context.knownRows.idOf(this.#table, row) ?? 'a row', owner, row, outcome }
  }

  async #send(
    method: 'POST' | 'PATCH' | 'DELETE',
    { row, query, body }: { row?: JsonRow; query?: readonly (readonly [string, string])[]; body?: JsonRow },
  ): Promise<Outcome> {
    const filter = query ?? (row ? filterOf(this.#table, this.#keys, row) : [])
    if (method !== 'POST' && filter.length === 0)
      return { kind: 'failed', message: 'The row can’t be identified.' }
    const answer = await this.#context.send(this.#account, {
      method,
      path: pathOf(this.#table, filter),
      headers: {
        ...profileOf(this.#table),
        accept: 'application/json',
        'content-type': 'application/json',
        prefer: 'return=minimal,count=exact,tx=rollback',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!isOk(answer)) return refusalOf(answer)
    assertRolledBack(answer, `${method} on ${nameIn(this.#table)}`)
    if (method === 'POST') return ALLOWED
    const count = Number(/\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1] ?? 0)
    return count > 0 ? ALLOWED : DENIED
  }
}

/** @throws AccessError if the backend did not confirm that it rolled back */
export function assertRolledBack(answer: AccessAnswer, what: string): void {
  if (/\btx=rollback\b/.test(answer.header('preference-applied') ?? '')) return
  throw new AccessError(
    `The backend did not confirm that it rolled back ${what}, though it had before: the write may have been kept. Compare this table with a backup.`,
  )
}

/** The filter for a row: its key or, without one, all its plain values. */
function filterOf(
  table: CatalogTable,
  keys: readonly CatalogColumn[],
  row: JsonRow,
): readonly (readonly [string, string])[] {
  const columns = keys.length > 0 ? keys : table.columns
  return columns.flatMap(({ name }) => {
    const value = row[name]
    if (value === undefined || (typeof value === 'object' && value !== null)) return []
    return [[name, value === null ? 'is.null' : `eq.${textOf(value)}`] as const]
  })
}

/** The row to insert: keys are new, unless they refer to another table. */
function bodyOf(table: CatalogTable, row: JsonRow): JsonRow {
  return Object.fromEntries(
    table.columns.flatMap(column => {
      const { name, isKey, made: isGenerated, hasDefault, references } = column
      const value = row[name]
      if (isGenerated || value === undefined || (isKey && hasDefault)) return []
      return [[name, isKey && !references ? newKey(value) : value]]
    }),
  )
}

const newKey = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1_000_003
  if (typeof value !== 'string') return value
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value)
    ? '00000000-0000-4000-8000-0000000000ac'
    : `${value}-access-review`
}

/** Values for a table in which no account sees a row. */
function emptyRow(table: CatalogTable): JsonRow {
  const needed = table.columns.filter(
    ({ required, hasDefault, made: isGenerated }) => required && !hasDefault && !isGenerated,
  )
  return Object.fromEntries(needed.map(({ name, type, options }) => [name, options?.[0] ?? sampleOf(type)]))
}

/** A value of a type; a violated constraint still shows that the insert was allowed. */
export function sampleOf(type: string): unknown {
  if (type.endsWith('[]')) return []
  if (/^(?:json|jsonb)$/.test(type)) return {}
  if (/int|serial|numeric|real|double|float|money/.test(type)) return 1
  if (type.startsWith('bool')) return false
  if (type === 'uuid') return '00000000-0000-4000-8000-0000000000ac'
  if (type.startsWith('timestamp') || type === 'date') return '2020-01-01'
  if (type.startsWith('time')) return '12:00'
  if (type === 'interval') return '1 hour'
  return 'access-review'
}

/** Finds out whether the backend rolls writes back when asked to, with requests that change nothing. */
export async function provesRollback(
  context: ReviewContext,
  tables: readonly CatalogTable[],
): Promise<boolean> {
  const prefer = 'return=minimal,tx=rollback'
  let isPromised = false
  for (const table of tables) {
    const [column] = table.columns
    if (column === undefined || (table.kind !== 'table' && table.kind !== 'unknown')) continue
    for (const account of context.accounts) {
      if (account.isReference) continue
      const headers = { ...profileOf(table), accept: 'application/json', prefer }
      if (!isPromised) {
        const read = await context.send(account, {
          method: 'GET',
          path: pathOf(table, [['limit', '0']]),
          headers,
        })
        if (!isOk(read)) continue
        if (!/\btx=rollback\b/.test(read.header('preference-applied') ?? '')) return false
        isPromised = true
      }
      const path = pathOf(table, nothing(column))
      const removed = await context.send(account, { method: 'DELETE', path, headers })
      if (isOk(removed)) return /\btx=rollback\b/.test(removed.header('preference-applied') ?? '')
    }
  }
  // Every deletion was refused: what a write does is checked in its own response, too.
  return isPromised
}
