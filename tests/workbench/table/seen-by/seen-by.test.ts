// "Seen by…": rows of any number compared by key between accounts, and what is shown while that is not
// finished.
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  Comparison,
  isEnded,
  formatDetails,
  formatScan,
  formatSummary,
  formatTimes,
  ALL_RIGHTS,
  type TableInfo,
  type TableQuery,
} from '../../../../src/services/workbench/table/index.ts'
import { VALUES_KEPT } from '../../../../src/services/workbench/table/seen-by/row-index.ts'
import { column, ID_COLUMN } from '../../../harness/column.ts'
import { fakeAccounts, type FakeRow, type FakeTable } from '../../../harness/fake-rows.ts'
import { assertProperty } from '../../../harness/volume.ts'

const info: TableInfo = {
  name: 'log',
  isKnown: true,
  rights: ALL_RIGHTS,
  columns: [ID_COLUMN, column('note', 'text')],
}
const query: TableQuery = { schema: 'public', table: 'log', columns: [], filters: [], sorts: [] }

/** Whether the page starts after the last row of another one. */
const isLaterPage = (url: URL): boolean => /^[gl]t\./.test(url.searchParams.get('id') ?? '')

const running: Comparison[] = []
afterEach(() => {
  for (const comparison of running.splice(0)) comparison.stop()
})

interface Setup extends FakeTable {
  readonly accounts: readonly string[]
  readonly query?: Partial<TableQuery>
  readonly info?: TableInfo
}

function compare({ accounts, query: part, info: table = info, ...backend }: Setup) {
  const { clientOf, requests } = fakeAccounts(backend)
  const comparison = new Comparison({
    viewers: accounts.map(id => ({ id, name: id, userId: id })),
    query: { ...query, ...part },
    info: table,
    clientOf,
    wall: () => new Date(0),
  })
  running.push(comparison)
  const shown = accounts.map((_, account) => account)
  const ended = () =>
    new Promise<void>(resolve => {
      const look = () => {
        if (isEnded(comparison.snapshot().phase)) resolve()
      }
      comparison.subscribe(look)
      look()
    })
  const view = (onlyDifferences = false) =>
    comparison.index.view({ shownAccounts: shown, isRead: comparison.snapshot().isRead, onlyDifferences })
  /** The visible rows of each account, by key. */
  const table_ = (onlyDifferences = false) =>
    view(onlyDifferences).rows.map(number => [
      comparison.index.rowOf(number)['id'],
      ...shown.map(account => comparison.index.status(account, number, comparison.snapshot().isRead)),
    ])
  return {
    comparison,
    requests,
    ended,
    view,
    rows: table_,
    headline: () => formatSummary(view().summary, comparison.snapshot(), shown),
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const row = (id: number, note: unknown = 'same'): FakeRow => ({ id, note })

test('the result equals a comparison of sets, whatever is visible and however large pages are', async () => {
  const cases = fc.record({
    rows: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 60 }),
    seed: fc.array(fc.nat(), { minLength: 240, maxLength: 240 }),
    accounts: fc.integer({ min: 2, max: 4 }),
    maxRows: fc.integer({ min: 1, max: 25 }),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  })
  await assertProperty(
    fc.asyncProperty(cases, async ({ rows, seed, accounts, maxRows, direction }) => {
      const names = ['a', 'b', 'c', 'd'].slice(0, accounts)
      const seenBy = new Map(
        names.map((name, account) => [
          name,
          rows.flatMap((id, n) => {
            const die = (seed[n * 4 + account] ?? 0) % 5
            // Hidden in two cases of five, with another value in one.
            return die < 2 ? [] : [row(id, die === 2 ? `other ${account % 2}` : 'same')]
          }),
        ]),
      )
      const run = compare({
        accounts: names,
        rowsOf: name => seenBy.get(name) ?? [],
        maxRows,
        query: { sorts: [{ column: 'id', direction }] },
      })
      await run.ended()
      const expected = rows
        .toSorted((a, b) => (direction === 'asc' ? a - b : b - a))
        .map(id => ({ id, of: names.map(name => seenBy.get(name)?.find(each => each['id'] === id)) }))
        .filter(({ of }) => of.some(each => each !== undefined))
      expect(run.rows()).toEqual(
        expected.map(({ id, of }) => [id, ...of.map(each => (each === undefined ? 'hidden' : 'seen'))]),
      )
      const hidden = expected.filter(({ of }) => of.includes(undefined))
      const otherValues = expected.filter(
        ({ of }) => new Set(of.flatMap(each => (each === undefined ? [] : [each['note']]))).size > 1,
      )
      expect(run.view().summary).toEqual({
        compared: expected.length,
        differing: new Set([...hidden, ...otherValues]).size,
        hidden: hidden.length,
        otherValues: otherValues.length,
        changed: 0,
        notCompared: 0,
      })
      expect(run.comparison.snapshot().phase).toBe('done')
      run.comparison.stop()
    }),
    { numRuns: 60 },
  )
})

test('103,040 rows are compared to the last one: 40 hidden rows far beyond the first page', async () => {
  const all = numbers(103_040).map(id => row(id))
  const secret = new Set(numbers(40).map(n => n * 2_500))
  const some = all.filter(each => !secret.has(Number(each['id'])))
  // Filtering and sorting all rows for each page would dominate the measurement.
  const page = (rows: readonly FakeRow[], url: URL) => {
    const after = /^lt\.(\d+)$/.exec(url.searchParams.get('id') ?? '')?.[1]
    const keys = /^in\.\((.*)\)$/.exec(url.searchParams.get('id') ?? '')?.[1]
    if (keys !== undefined) {
      const wanted = new Set((JSON.parse(`[${keys}]`) as string[]).map(Number))
      return rows.filter(each => wanted.has(Number(each['id'])))
    }
    let to = rows.length
    if (after !== undefined) {
      let from = 0
      while (from < to) {
        const middle = (from + to) >> 1
        if (Number(rows[middle]?.['id']) < Number(after)) from = middle + 1
        else to = middle
      }
    }
    return rows.slice(Math.max(0, to - 1_000), to).toReversed()
  }
  const run = compare({
    accounts: ['skipper', 'mate'],
    rowsOf: () => [],
    intercept: (account, url) => Response.json(page(account === 'skipper' ? all : some, url)),
    query: { sorts: [{ column: 'id', direction: 'desc' }] },
  })
  await run.ended()
  expect(run.headline()).toBe('40 rows differ of 103,040 compared')
  expect(run.view().summary).toMatchObject({ hidden: 40, otherValues: 0, notCompared: 0 })
  expect(run.rows(true)).toEqual([...secret].toReversed().map(id => [id, 'seen', 'hidden']))
  // A row at the far end that both see.
  expect(run.rows().at(-1)).toEqual([1, 'seen', 'seen'])
  const { index } = run.comparison
  const kept = run.view().rows.filter(number => index.valuesOf(0, number) !== undefined)
  expect(kept).toHaveLength(VALUES_KEPT)
})

test('released values are loaded when their rows are shown; changed rows are marked', async () => {
  let rows = numbers(VALUES_KEPT + 20).map(id => row(id))
  const run = compare({ accounts: ['a', 'b'], rowsOf: () => rows })
  await run.ended()
  const { index, load } = run.comparison
  const far = run.view().rows.slice(-3)
  expect(far.map(number => index.valuesOf(0, number))).toEqual([undefined, undefined, undefined])
  rows = rows.map(each => (each['id'] === VALUES_KEPT + 20 ? row(VALUES_KEPT + 20, 'new') : each))
  load(far, [0])
  await expect.poll(() => index.valuesOf(0, far[0] ?? -1)).toEqual({ id: VALUES_KEPT + 18, note: 'same' })
  expect(run.rows().slice(-2)).toEqual([
    [VALUES_KEPT + 19, 'seen', 'seen'],
    [VALUES_KEPT + 20, 'changed', 'changed'],
  ])
})

describe('an unfinished comparison claims nothing about the rest', () => {
  /** Account `b` gets no further than its second page. */
  const rowsOf = (account: string) =>
    numbers(30)
      .map(id => row(id))
      .slice(account === 'a' ? 0 : 1)

  test('while it runs and after Cancel rows are "not compared", and counts are "so far"', async () => {
    const held = Promise.withResolvers<undefined>()
    const run = compare({
      accounts: ['a', 'b'],
      rowsOf,
      maxRows: 10,
      intercept: (account, url) =>
        account === 'b' && isLaterPage(url) ? held.promise.then(() => undefined) : undefined,
    })
    await expect.poll(() => run.comparison.snapshot().scans[0]?.read).toBe(10)
    expect(run.rows()).toEqual([
      [1, 'seen', 'notCompared'],
      ...numbers(9).map(n => [n + 1, 'seen', 'seen']),
      [11, 'notCompared', 'seen'],
    ])
    expect(run.headline()).toBe('0 rows differ so far of 9 compared')
    run.comparison.cancel()
    await run.ended()
    expect(run.rows()[0]).toEqual([1, 'seen', 'notCompared'])
    expect(run.headline()).toBe('Canceled: 0 rows differ so far of 9 compared')
    expect(formatDetails(run.view().summary)).toBe('2 rows not compared')
    const sent = run.requests.length
    held.resolve(undefined)
    await new Promise(resolve => setImmediate(resolve))
    expect(run.requests).toHaveLength(sent)
    expect(run.comparison.snapshot().phase).toBe('canceled')
  })

  test('an account that fails is "not compared"; the others finish, and Retry continues where it stopped', async () => {
    let isRefused = true
    const run = compare({
      accounts: ['a', 'b', 'c'],
      rowsOf,
      maxRows: 10,
      intercept: (account, url) =>
        account === 'b' && isRefused && isLaterPage(url)
          ? Response.json({ code: '42501', message: 'permission denied for table log' }, { status: 403 })
          : undefined,
    })
    await run.ended()
    const { phase, scans } = run.comparison.snapshot()
    expect([phase, ...scans.map(scan => scan.phase)]).toEqual(['partial', 'read', 'failed', 'read'])
    expect(scans[1]?.failure?.message).toContain('permission denied for table log')
    expect(scans.map(formatScan)).toEqual(['30 rows', '10 of 29 rows read', '29 rows'])
    expect(run.rows().slice(0, 2)).toEqual([
      [1, 'seen', 'notCompared', 'hidden'],
      [2, 'seen', 'seen', 'seen'],
    ])
    expect(run.rows()[29]).toEqual([30, 'seen', 'notCompared', 'seen'])
    expect(run.headline()).toBe('Incomplete: 0 rows differ so far of 10 compared')
    // Without the failed account the comparison is complete.
    const others = { shownAccounts: [0, 2], isRead: run.comparison.snapshot().isRead, onlyDifferences: false }
    expect(
      formatSummary(
        run.comparison.index.view(others).summary,
        run.comparison.snapshot(),
        others.shownAccounts,
      ),
    ).toBe('1 row differs of 30 compared')
    isRefused = false
    const before = run.requests.length
    run.comparison.retry()
    await expect.poll(() => run.comparison.snapshot().phase).toBe('done')
    expect(run.headline()).toBe('1 row differs of 30 compared')
    const first = run.requests[before]
    expect([first?.account, first?.url.searchParams.get('id')]).toEqual(['b', 'gt.11'])
    expect(
      run.requests.slice(before).filter(({ url }) => !url.searchParams.get('id')?.startsWith('in.')),
    ).toHaveLength(3)
  })

  test('a response that arrives after the account was signed out or replaced is discarded', async () => {
    let user = 'b'
    const run = compare({
      accounts: ['a', 'b'],
      rowsOf,
      maxRows: 10,
      userOf: account => (account === 'b' ? user : account),
      intercept: (account, url) => {
        if (account === 'b' && isLaterPage(url)) user = 'another user'
        return undefined
      },
    })
    await run.ended()
    const [, scan] = run.comparison.snapshot().scans
    expect([scan?.phase, scan?.read, scan?.failure?.kind]).toEqual(['failed', 10, 'auth'])
  })

  test('fewer than two accounts are not compared', () => {
    const { comparison, view } = compare({ accounts: ['a'], rowsOf })
    expect(formatSummary(view().summary, comparison.snapshot(), [0])).toBe(
      'Choose at least two accounts to compare.',
    )
  })
})

describe('rows that are written while the comparison runs', () => {
  /** Both accounts see the same; the write happens between the reads of the two. */
  const writing = (write: (rows: Map<number, FakeRow>, requests: number) => void) => {
    const rows = new Map(numbers(20).map(id => [id, row(id)]))
    let requests = 0
    return compare({
      accounts: ['a', 'b'],
      rowsOf: () => [...rows.values()],
      maxRows: 10,
      intercept: async (account, url) => {
        requests += 1
        if (account !== 'b') return undefined
        // The other account's page of that time has been sent by then.
        await new Promise(resolve => setImmediate(resolve))
        if (isLaterPage(url) || requests > 4) write(rows, requests)
        return undefined
      },
    })
  }

  test.each([
    ['inserted', (rows: Map<number, FakeRow>) => rows.set(15.5, row(15.5)), 21],
    ['deleted', (rows: Map<number, FakeRow>) => rows.delete(15), 19],
    ['updated', (rows: Map<number, FakeRow>) => rows.set(15, row(15, 'new')), 20],
  ])('a row %s in between is checked again, and is not a difference', async (_, write, count) => {
    const run = writing(rows => write(rows))
    await run.ended()
    expect(run.headline()).toBe(`No differences in ${count} rows compared`)
    expect(run.rows()).toHaveLength(count)
    expect(run.requests.filter(({ url }) => url.searchParams.get('id')?.startsWith('in.'))).not.toEqual([])
  })

  test('a row that keeps changing is reported as changed, not as a difference', async () => {
    const run = writing((rows, requests) => rows.set(15, row(15, `version ${requests}`)))
    await run.ended()
    expect(run.headline()).toBe('No differences in 19 rows compared · 1 row changed and not compared')
    expect(run.rows(true)).toEqual([[15, 'changed', 'changed']])
  })

  test('differences that could not be checked again are not called hidden, until a retry', async () => {
    let isRefused = true
    const run = compare({
      accounts: ['a', 'b'],
      rowsOf: account =>
        numbers(5)
          .map(id => row(id))
          .slice(account === 'a' ? 0 : 1),
      intercept: (_, url) =>
        isRefused && url.searchParams.get('id')?.startsWith('in.')
          ? Response.json({ message: 'not now' }, { status: 403 })
          : undefined,
    })
    await run.ended()
    expect(run.comparison.snapshot().phase).toBe('unconfirmed')
    expect(run.rows()[0]).toEqual([1, 'seen', 'unconfirmed'])
    expect(run.headline()).toBe(
      '1 row differs so far of 5 compared · not all differences could be checked again',
    )
    isRefused = false
    run.comparison.retry()
    await expect.poll(() => run.comparison.snapshot().phase).toBe('done')
    expect(run.rows()[0]).toEqual([1, 'seen', 'hidden'])
  })
})

test('many differences are checked again by ranges of keys, not by one request for each', async () => {
  const run = compare({
    accounts: ['a', 'anonymous'],
    rowsOf: account => (account === 'a' ? numbers(2_400).map(id => row(id)) : []),
    maxRows: 1_000,
  })
  await run.ended()
  expect(run.headline()).toBe('2,400 rows differ of 2,400 compared')
  const ranges = run.requests.filter(({ url }) => url.searchParams.getAll('id').length === 2)
  expect(ranges.map(({ account, url }) => [account, ...url.searchParams.getAll('id')])).toEqual(
    [
      ['1', '800'],
      ['801', '1600'],
      ['1601', '2400'],
    ].flatMap(([low, high]) => ['anonymous', 'a'].map(account => [account, `gte.${low}`, `lte.${high}`])),
  )
})

test("rows keep the table's sort order, but are compared by key", async () => {
  const rows = [row(1, 'b'), row(2, null), row(3, 'a'), row(4, 'c')]
  const run = compare({
    accounts: ['a', 'b'],
    rowsOf: account => (account === 'a' ? rows : rows.slice(1)),
    query: { sorts: [{ column: 'note', direction: 'asc' }] },
  })
  await run.ended()
  expect(run.rows()).toEqual([
    [3, 'seen', 'seen'],
    [1, 'seen', 'hidden'],
    [4, 'seen', 'seen'],
    [2, 'seen', 'seen'],
  ])
  expect(run.requests.every(({ url }) => url.searchParams.get('order') === 'id.asc')).toBe(true)
})

test("keys beyond JavaScript's integers are different keys, in the order of the server", async () => {
  const text = (ids: readonly string[]) => `[${ids.map(id => `{"id":${id},"note":"x"}`).join(',')}]`
  const run = compare({
    accounts: ['a', 'b'],
    rowsOf: () => [],
    intercept: (account, url) => {
      const ids = account === 'a' ? ['-9007199254740993', '9007199254740993'] : ['9007199254740992']
      const isMore = isLaterPage(url)
      return new Response(isMore ? '[]' : text(ids), { headers: { 'content-type': 'application/json' } })
    },
  })
  await run.ended()
  expect(run.rows().map(([id, ...statuses]) => [JSON.stringify(id), ...statuses])).toEqual([
    ['-9007199254740993', 'seen', 'hidden'],
    ['9007199254740992', 'hidden', 'seen'],
    ['9007199254740993', 'seen', 'hidden'],
  ])
})

test('without a key whole rows are compared, and equal ones are counted', async () => {
  const bare = { ...info, columns: [column('note', 'text')] }
  const notes = (...texts: readonly string[]) => texts.map(note => ({ note }))
  const run = compare({
    accounts: ['a', 'b'],
    info: bare,
    rowsOf: account => (account === 'a' ? notes('x', 'x', 'y') : notes('x', 'z')),
  })
  await run.ended()
  expect(run.view().summary).toMatchObject({ compared: 4, differing: 3, hidden: 3, otherValues: 0 })
})

test('the time of the comparison is shown', () => {
  vi.stubEnv('TZ', 'UTC')
  const text = (endedAt: Date | undefined) =>
    formatTimes({ startedAt: new Date(0), endedAt }).replaceAll('\u202f', ' ')
  expect(text(undefined)).toBe('Started at 12:00:00 AM')
  expect(text(new Date(61_000))).toBe('Compared from 12:00:00 AM to 12:01:01 AM')
  vi.unstubAllEnvs()
})
