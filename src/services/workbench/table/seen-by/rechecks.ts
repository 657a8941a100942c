// Re-checks differing rows: first as the accounts that did not see them, then as those that did.
// A row that one account sees both before and after another one does not see it existed in between: it is
// hidden.
import type { ChartroomClient } from '../../../client/index.ts'
import type { Recheck } from '../../jobs/create-row-comparison.ts'
import { cellOf } from '../cells/cell-text.ts'
import type { Column, Row, TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import { ROWS_AT_ONCE } from '../edits/row-conditions.ts'
import type { RowIndex } from './row-index.ts'
import type { RowReader } from '../row-reader.ts'
import { readerOfRange, readersOfRows } from './seen-requests.ts'

type Fetch = ChartroomClient['fetch']

/** Maximum number of table rows in a range. */
const RANGE = 800

/** Differing rows that are read again together. */
interface RecheckBatch {
  readonly rows: readonly number[]
  /** First and last row of a key range; undefined: the rows are requested by key. */
  readonly range?: readonly [first: number, last: number]
}

const chunks = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))

const byKeys = (rows: readonly number[]): readonly RecheckBatch[] =>
  chunks(rows, ROWS_AT_ONCE).map(batch => ({ rows: batch }))

/** The key by which ranges can be requested. */
const rangeKey = ({ keys }: RowIndex): Column | undefined =>
  keys.length === 1 && keys[0] && (keys[0].type === 'integer' || keys[0].type === 'uuid')
    ? keys[0]
    : undefined

/** Minimizes requests: ranges where differences are dense, keys where they are not. */
function planRechecks(index: RowIndex, isRead: readonly boolean[]): readonly RecheckBatch[] {
  const differing = index.differences(isRead)
  const key = rangeKey(index)
  if (index.keys.length === 0) return []
  if (key === undefined || differing.length <= ROWS_AT_ONCE) return byKeys(differing)
  const differingRows = new Set(differing)
  const sparse: number[] = []
  const ranges = chunks(index.inOrderOf(key), RANGE).flatMap((stretch): RecheckBatch[] => {
    const rows = stretch.filter(number => differingRows.has(number))
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) return []
    if (rows.length > ROWS_AT_ONCE) return [{ rows, range: [first, last] }]
    sparse.push(...rows)
    return []
  })
  return [...ranges, ...byKeys(sparse)]
}

export interface RecheckOptions {
  readonly index: RowIndex
  readonly info: TableInfo
  readonly query: TableQuery
  /** By account. */
  readonly fetches: readonly Fetch[]
}

/** The differences of a comparison, in batches. */
export function createRechecks(options: RecheckOptions) {
  const { index, info, query, fetches } = options
  let batches: readonly RecheckBatch[] = []
  /** The accounts that were fully read. */
  let accounts: readonly number[] = []

  const readersOf = ({ rows, range }: RecheckBatch): readonly RowReader[] => {
    const key = rangeKey(index)
    if (range === undefined || key === undefined)
      return readersOfRows(
        query,
        info,
        rows.map(number => index.rowOf(number)),
      )
    const [low, high] = range.map(number => cellOf(index.rowOf(number), key) ?? '')
    return [readerOfRange(query, info, [key, low ?? '', high ?? ''])]
  }

  const next = (): Recheck | undefined => {
    const [batch] = batches
    if (batch === undefined) return undefined
    const { rows } = batch
    /** The rows of each account that is read again, by number. */
    const reads = [false, true].map(
      isSeen =>
        new Map(
          accounts
            .filter(account => rows.some(number => (index.printOf(account, number) !== undefined) === isSeen))
            .map(account => [account, new Map<number | undefined, Row>()]),
        ),
    )
    const groups = reads.map(group =>
      [...group].flatMap(([account, repeats]) => {
        const fetch = fetches[account]
        const take = (read: readonly Row[]) => {
          for (const row of read) repeats.set(index.numberOf(row), row)
        }
        return fetch ? readersOf(batch).map(reader => ({ fetch, reader, take })) : []
      }),
    )
    const finish = () => {
      const undecided = rows.filter(number => {
        const repeats = fetches.map((_, account): Row | null | undefined => {
          if (!accounts.includes(account)) return undefined
          const wasSeen = index.printOf(account, number) !== undefined
          const read = reads[wasSeen ? 1 : 0]?.get(account)
          return read && (read.get(number) ?? null)
        })
        return !index.recheck(number, repeats)
      })
      batches = [...batches.slice(1), ...byKeys(undecided)]
      return rows.length - undecided.length
    }
    return { groups, finish }
  }

  return {
    start: (isRead: readonly boolean[]) => {
      index.resetChecks()
      batches = planRechecks(index, isRead)
      accounts = isRead.flatMap((read, account) => (read ? [account] : []))
    },
    next,
    left: () => batches.reduce((sum, { rows }) => sum + rows.length, 0),
  }
}
