// The rows of an open table: which pages are read when, what stays during a reload, and what ends with the page.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { RowsStore, type TableRows } from '../../src/services/workbench/table/rows-store.ts'
import { reloadText, type TableInfo, type TableQuery } from '../../src/services/workbench/table/index.ts'
import { column } from '../harness/column.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const info = {
  name: 'vessels',
  columns: [column('id', 'int4', { isKey: true }), column('name', 'text', { isKey: false })],
  known: true,
} as unknown as TableInfo
const query: TableQuery = { schema: 'public', table: 'vessels', columns: [], filters: [], sorts: [] }
const byName: TableQuery = {
  ...query,
  filters: [{ column: 'name', operator: 'eq', value: 'a', negate: false }],
}

const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    exact_0: String(from + n),
    id: from + n,
    name: `row ${from + n}`,
  }))

interface Sent {
  readonly method: string
  readonly search: URLSearchParams
  readonly signal: AbortSignal | null | undefined
  readonly answer: (rows: readonly object[] | number, total?: number) => Promise<void>
}

const TURNS = 5

/** A store whose requests the test answers. */
function start() {
  const sent: Sent[] = []
  const fetch = (path: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
      sent.push({
        method: init.method ?? 'GET',
        search: new URL(path, 'http://x').searchParams,
        signal: init.signal,
        answer: async (rows, given) => {
          const isCounted = new Headers(init.headers).get('prefer')?.includes('count') === true
          const total = given ?? (isCounted && typeof rows !== 'number' ? rows.length : undefined)
          const headers = total === undefined ? {} : { 'content-range': `*/${total}` }
          resolve(
            typeof rows === 'number'
              ? new Response('{"message":"Down."}', { status: rows })
              : new Response(JSON.stringify(rows), { headers }),
          )
          // Bodies are read in the platform's own turns.
          for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate)
          await vi.advanceTimersByTimeAsync(0)
        },
      })
    })
  const jobs: TableRows[] = []
  const store = new RowsStore({ fetch } as unknown as ChartroomClient, job => void jobs.push(job))
  store.know(info)
  return {
    store,
    jobs,
    sent,
    last: () => sent.at(-1) as Sent,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

const inserted = (id: number) => ({
  type: 'INSERT' as const,
  schema: 'public',
  table: 'vessels',
  commitTimestamp: '',
  record: { id },
  old: {},
})
const keys = (store: RowsStore) => [...store.state().pages.rows.keys()]

test('reads the first page at once, and others once scrolling has stopped', async () => {
  const { store, sent, last, pass } = start()
  store.open(query)
  expect([sent.length, store.state().isLoading]).toEqual([1, true])
  await last().answer(many(1, 100), 1_000)
  // The estimate of the first page is followed by an exact count.
  expect([last().method, store.state().isLoading, store.state().pages.total]).toEqual(['HEAD', false, 1_000])
  store.showRange(350, 370)
  store.showRange(450, 470)
  expect(sent).toHaveLength(2)
  await pass(40)
  expect([sent.length, last().search.get('offset')]).toEqual([4, '500'])
  await last().answer(many(501, 100))
  expect(keys(store)).toContain(5)
})

test('reloads keep the rows until new ones arrive; another query aborts the reads of the last one', async () => {
  const { store, sent, last } = start()
  store.open(query)
  await last().answer(many(1, 3))
  store.reload({ kind: 'user' })
  expect([store.state().pages.rows.get(0)?.length, store.state().isLoading]).toEqual([3, true])
  const reload = last()
  store.open(byName)
  expect([reload.signal?.aborted, last().search.get('name')]).toEqual([true, 'eq.a'])
  await last().answer(many(7, 1))
  expect([sent.length, store.state().pages.rows.get(0)?.length, store.state().pages.total]).toEqual([3, 1, 1])
})

test('a failure keeps the rows and waits for a reload', async () => {
  const { store, sent, last } = start()
  store.open(query)
  await last().answer(many(1, 3))
  store.reload({ kind: 'user' })
  await last().answer(503)
  expect(store.state().pages).toMatchObject({ phase: 'failed', failure: { retry: true } })
  store.showRange(200, 300)
  expect([sent.length, store.state().pages.rows.get(0)?.length]).toEqual([2, 3])
  store.reload({ kind: 'user' })
  await last().answer(many(1, 4))
  expect(store.state().pages).toMatchObject({ phase: 'ready' })
  expect(store.state().pages.failure).toBe(undefined)
})

test('live changes are gathered, then read once', async () => {
  const { store, sent, last, pass } = start()
  store.open(query)
  await last().answer(many(1, 3))
  for (const id of [4, 5]) store.changed(inserted(id))
  await pass(119)
  expect(sent).toHaveLength(1)
  await pass(1)
  expect([sent.length, store.state().pages.total, [...store.state().pages.live]]).toEqual([2, 5, ['4', '5']])
})

test('saved and deleted rows change in place', async () => {
  const { store, last } = start()
  store.open(query)
  await last().answer(many(1, 3))
  store.replaced('2', { id: '2', name: 'Fulmar' })
  expect(
    store
      .state()
      .pages.rows.get(0)
      ?.map(row => row['name']),
  ).toEqual(['row 1', 'Fulmar', 'row 3'])
  store.removeRows(new Set(['1']))
  expect(store.state().pages).toMatchObject({ total: 2 })
})

test('a closed table reads nothing, forgets its rows and ignores what arrives', async () => {
  const { store, sent, last, pass } = start()
  const notified = vi.fn<() => void>()
  store.open(query)
  await last().answer(many(1, 3))
  store.reload({ kind: 'user' })
  store.changed(inserted(4))
  const { signal } = last()
  store.close()
  store.subscribe(notified)
  store.replaced('2', { id: '2' })
  store.reload({ kind: 'user' })
  await pass(10_000)
  expect([signal?.aborted, sent.length, keys(store), notified.mock.calls.length]).toEqual([true, 2, [], 0])
})

test('without a description of the table nothing can be read', () => {
  const store = new RowsStore({} as unknown as ChartroomClient, () => undefined)
  expect(() => store.open(query)).toThrow('Rows of vessels are read, but nothing is known of the table.')
})

const names = (store: RowsStore) =>
  store
    .state()
    .pages.rows.get(0)
    ?.map(row => row['name'])

describe('the number of rows, while others insert some', () => {
  /** A table of 150 rows, read and counted. */
  const counted = async () => {
    const made = start()
    made.store.open(query)
    await made.last().answer(many(1, 100), 150)
    await made.last().answer([], 150)
    return { ...made, total: () => made.store.state().pages.total }
  }

  test('is counted again when a change arrives after a page that may show it', async () => {
    const { store, last, pass, total } = await counted()
    await pass(10_000)
    store.changed(inserted(151))
    await pass(120)
    expect(total()).toBe(151)
    // This page shows row 152, whose change has not arrived yet.
    await last().answer([...many(1, 99), ...many(152, 1)])
    store.changed(inserted(152))
    await pass(120)
    await last().answer([...many(1, 99), ...many(152, 1)])
    await pass(1_000)
    expect(last().method).toBe('HEAD')
    await last().answer([], 152)
    expect([total(), store.state().pages.isExact]).toEqual([152, true])
  })

  test('is counted again when a change arrives during or right after the count', async () => {
    const { store, sent, last, pass, total } = await counted()
    store.changed(inserted(151))
    await pass(120)
    await last().answer(many(1, 100))
    await pass(1_000)
    const [count] = sent.slice(-1) as [Sent]
    expect(count.method).toBe('HEAD')
    // It has counted this row, or not.
    store.changed(inserted(152))
    await pass(120)
    await last().answer(many(1, 100))
    await count.answer([], 152)
    await pass(1_000)
    expect([last().method, last() === count]).toEqual(['HEAD', false])
    await last().answer([], 152)
    await pass(10_000)
    const before = sent.length
    expect([total(), store.state().pages.isExact, sent.length]).toEqual([152, true, before])
  })

  test('is not counted for a single change, nor for a table that the first page shows', async () => {
    const { store, sent, last, pass, total } = await counted()
    await pass(10_000)
    store.changed(inserted(151))
    await pass(120)
    await last().answer(many(1, 100))
    const before = sent.length
    await pass(10_000)
    expect([total(), sent.length]).toEqual([151, before])
    const small = start()
    small.store.open(query)
    await small.last().answer(many(1, 3))
    for (const id of [4, 5]) {
      small.store.changed(inserted(id))
      await small.pass(120)
      await small.last().answer(many(1, id))
    }
    await small.pass(10_000)
    expect(small.sent.filter(({ method }) => method === 'HEAD')).toEqual([])
  })

  test.each([{ kind: 'user' }, { kind: 'gap' }] as const)(
    'is counted again when the rows are read again: $kind',
    async reason => {
      const { store, last, pass, total } = await counted()
      await pass(10_000)
      store.reload(reason)
      await last().answer(many(1, 100))
      await pass(1_000)
      expect(last().method).toBe('HEAD')
      await last().answer([], 170)
      expect([total(), store.state().pages.isExact]).toEqual([170, true])
    },
  )

  test('is an estimate after a count that failed, which is not repeated', async () => {
    const { store, sent, last, pass } = start()
    store.open(query)
    await last().answer(many(1, 100), 150)
    await last().answer(503)
    for (const id of [151, 152]) {
      store.changed(inserted(id))
      await pass(120)
      await last().answer(many(1, 100))
    }
    await pass(600_000)
    expect(sent.filter(({ method }) => method === 'HEAD')).toHaveLength(1)
    expect([vi.getTimerCount(), store.state().pages.isExact]).toEqual([0, false])
  })
})

describe('a read during which rows change', () => {
  test('does not restore what was written or deleted during it', async () => {
    const { store, sent, last } = start()
    store.open(query)
    await last().answer(many(1, 3))
    store.reload({ kind: 'user' })
    store.replaced('2', { id: '2', name: 'Fulmar' })
    store.removeRows(new Set(['1']))
    await last().answer(many(1, 3))
    expect(names(store)).toEqual(['Fulmar', 'row 3'])
    // It is read again, and that read counts.
    expect([sent.length, store.state().isLoading]).toEqual([3, true])
    await last().answer([{ exact_0: '2', id: 2, name: 'Gannet' }])
    expect([names(store), store.state().isLoading, sent.length]).toEqual([['Gannet'], false, 3])
  })

  test('is shown and followed by another when others changed rows', async () => {
    const { store, sent, last, pass } = start()
    store.open(query)
    await last().answer(many(1, 3))
    store.reload({ kind: 'user' })
    store.changed(inserted(4))
    await pass(120)
    await last().answer(many(1, 3))
    expect([names(store)?.length, sent.length, store.state().isLoading]).toEqual([3, 3, true])
    await last().answer(many(1, 4))
    expect([names(store)?.length, sent.length, store.state().isLoading]).toEqual([4, 3, false])
  })

  test('is shown if there are no rows yet', async () => {
    const { store, last } = start()
    store.open(query)
    store.replaced('2', { id: '2', name: 'Fulmar' })
    await last().answer(many(1, 3))
    expect([names(store)?.length, store.state().isLoading]).toEqual([3, true])
  })
})

describe('why the rows were read', () => {
  type Started = ReturnType<typeof start>
  test.each<[sentence: string, act: (run: Started) => unknown]>([
    ['The table was opened, or its filters or sort changed.', () => undefined],
    ['You refreshed the rows.', ({ store }) => store.reload({ kind: 'user' })],
    [
      '2 live changes.',
      ({ store, pass }) => {
        // The third one is the echo of an own write.
        store.replaced('2', { id: '2', name: 'Fulmar' })
        for (const id of [4, 5, 2]) store.changed(inserted(id))
        return pass(120)
      },
    ],
    [
      'Your change was saved.',
      ({ store, pass }) => {
        store.replaced('2', { id: '2', name: 'Fulmar' })
        store.changed({ ...inserted(2), type: 'UPDATE' })
        return pass(120)
      },
    ],
    [
      '1 live change.',
      async ({ store, pass }) => {
        store.replaced('2', { id: '2', name: 'Fulmar' })
        await pass(5_000)
        store.changed({ ...inserted(2), type: 'UPDATE' })
        await pass(120)
      },
    ],
    ['Your deletion ended.', ({ store }) => store.reload({ kind: 'deletion' })],
    ['Your import ended.', ({ store }) => store.reload({ kind: 'import' })],
    ['You took the value of another user.', ({ store }) => store.reload({ kind: 'conflict' })],
    [
      'Changes may have been missed before live updates began.',
      ({ store }) => {
        store.follow({ data: 'gap' })
        store.follow({ data: 'live' })
      },
    ],
    [
      'The connection to live changes was interrupted.',
      ({ store }) => {
        for (const data of ['live', 'gap', 'resyncing', 'live'] as const) store.follow({ data })
      },
    ],
    [
      'The backend responds again.',
      async ({ store, last }) => {
        store.reload({ kind: 'user' })
        await last().answer(503)
        store.recovered()
      },
    ],
    ['The last attempt failed and was retried.', ({ store }) => store.reload({ kind: 'retry' })],
  ])('%s', async (sentence, act) => {
    const run = start()
    run.store.open(query)
    await run.last().answer(many(1, 3))
    await act(run)
    await run.last().answer(many(1, 3))
    const { reason, pages } = run.store.state()
    expect([reason && reloadText(reason), pages.phase]).toEqual([sentence, 'ready'])
  })
})

describe('the machine', () => {
  test('ends with the page, and leaves no timer; the next page has a new one', async () => {
    const { store, jobs, last, pass } = start()
    store.open(query)
    await last().answer(many(1, 3))
    store.replaced('2', { id: '2', name: 'Fulmar' })
    store.changed(inserted(4))
    await pass(120)
    store.open(byName)
    expect(jobs).toHaveLength(1)
    store.close()
    // Edits that are saved later belong to no page.
    store.replaced('3', { id: '3', name: 'Gannet' })
    expect([jobs[0]?.actor.getSnapshot().status, vi.getTimerCount()]).toEqual(['stopped', 0])
    store.open(query)
    expect([jobs.length, jobs[1]?.actor.getSnapshot().status]).toEqual([2, 'active'])
    store.close()
  })

  test('knows no values of rows and filters', async () => {
    const { store, jobs, last, pass } = start()
    const secret = 'Fulmar'
    const seen: unknown[] = []
    store.open({ ...byName, filters: [{ column: 'name', operator: 'eq', value: secret, negate: false }] })
    const [job] = jobs
    job?.actor.subscribe(() => void seen.push(job.actor.getPersistedSnapshot()))
    job?.actor.on('*', event => void seen.push(event))
    await last().answer([{ exact_0: '1', id: 1, name: secret }])
    store.replaced('1', { id: '1', name: secret })
    store.changed({ ...inserted(1), record: { id: 1, name: secret } })
    await pass(120)
    await last().answer(400)
    expect(seen.length).toBeGreaterThan(10)
    const texts = [seen, job?.recording.trace.steps.map(({ event }) => event)].map(all => JSON.stringify(all))
    for (const text of texts) {
      expect(text).toContain('page.read')
      expect(text).not.toMatch(/Fulmar|vessels|Down/)
    }
    store.close()
  })
})
