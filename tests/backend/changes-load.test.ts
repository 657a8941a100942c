// Many simultaneous changes: each arrives once, in commit order, and soon.
import { expect, test, vi } from 'vitest'
import { signedIn, startTestBackend } from '../harness/backend.ts'
import { directSql, watch, type Change } from '../harness/realtime.ts'
import { isOnServer } from '../harness/engine.ts'
import { volume } from '../harness/volume.ts'

/** Some tests send more in total than may be queued for one socket. */
const realtime = { maxBacklogBytes: 1_000_000 }
const backend = await startTestBackend({ databaseAccess: {}, realtime })
const sql = directSql(backend)
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')
await sql.unsafe(`create table public.loads (id int generated always as identity primary key, writer int, n int, fill text,
    owner uuid default auth.uid());
  create table public.open_loads (id int generated always as identity primary key, n int);
  alter table public.loads enable row level security;
  create policy own on public.loads for all to authenticated using (owner = auth.uid());
  alter publication supabase_realtime add table public.loads, public.open_loads`)

/** Together several times as large as that. */
const MANY = volume(8_000, 20_000)

const field = (changes: readonly Change[], name: string) =>
  changes.map(one => Number(Reflect.get(one.new, name)))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a thousand rows of one statement, some larger than a notification', async () => {
  const mine = await watch(skipper, { table: 'loads' })
  const theirs = await watch(mate, { table: 'loads' })
  const rows = upTo(1_000).map(n => ({ n, fill: n % 50 === 0 ? 'x'.repeat(9_000) : '' }))
  const { error } = await skipper.from('loads').insert(rows)
  expect(error).toBeNull()
  await vi.waitFor(() => expect(mine).toHaveLength(1_000))
  expect(field(mine, 'n')).toEqual(upTo(1_000))
  expect(mine.filter(one => String(Reflect.get(one.new, 'fill')).length === 9_000)).toHaveLength(20)
  const [outbox] = await sql`select count(*)::int as left from realtime.outbox`
  expect([outbox?.['left'], theirs]).toEqual([0, []])
})

test('twenty concurrent writers, over REST and SQL', async () => {
  const mine = await watch(skipper, { table: 'loads', event: 'INSERT' })
  const all = await watch(mate, { table: 'open_loads', event: 'INSERT' })
  const write = async (writer: number) => {
    for (const n of upTo(10)) {
      if (writer % 2 === 0) await sql`insert into open_loads (n) values (${n})`
      else if ((await skipper.from('loads').insert({ writer, n })).error) throw new Error(`${writer} failed`)
    }
  }
  await Promise.all(upTo(20).map(write))
  await vi.waitFor(() => expect([mine.length, all.length]).toEqual([100, 100]))
  for (const writer of [1, 7, 19]) {
    const own = mine.filter(one => Reflect.get(one.new, 'writer') === writer)
    expect(field(own, 'n')).toEqual(upTo(10))
  }
  // Sessions of a server may commit in another order than they drew their ids.
  const inOrder = (ids: number[]) => (isOnServer ? ids.toSorted((a, b) => a - b) : ids)
  const ids = inOrder(field(mine, 'id'))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(inOrder(field(all, 'id'))).toEqual(upTo(100))
})

test('a hundred subscribers with different filters each receive their part', async () => {
  const wanted = upTo(100).map(n => ({
    table: 'open_loads',
    event: 'UPDATE' as const,
    filter: `n=eq.${n + 1_000}`,
  }))
  const received = await watch(mate, wanted)
  await sql`insert into open_loads (n) select 0 from generate_series(1, 200)`
  await sql`update open_loads set n = 1000 + id % 200 where n = 0`
  await vi.waitFor(() => expect(received).toHaveLength(100))
  expect(new Set(field(received, 'n')).size).toBe(100)
})

test('a client that reads receives a transaction larger than the socket backlog', async () => {
  const mine = await watch(skipper, { table: 'open_loads', event: 'INSERT' })
  await sql`insert into open_loads (n) select * from generate_series(1, ${MANY})`
  await vi.waitFor(() => expect(mine).toHaveLength(MANY))
  expect(field(mine, 'n')).toEqual(upTo(MANY))
})
