// Row changes: who receives which, checked against row-level security and filters.
import { afterEach, expect, test, vi } from 'vitest'
import type { RealtimePostgresChangesPayload, SupabaseClient } from '@supabase/supabase-js'
import { signedIn, startTestBackend } from '../harness/backend.ts'

type Row = Record<string, unknown>
type Change = RealtimePostgresChangesPayload<Row>

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')
afterEach(async () => {
  for (const client of [skipper, mate]) await client.removeAllChannels()
})

let topics = 0

/** Collects row changes; resolves once the server says that they are live. */
async function watch(client: SupabaseClient, options: { table: string; filter?: string }): Promise<Change[]> {
  const changes: Change[] = []
  topics += 1
  const channel = client.channel(`rows ${topics}`)
  channel.on('postgres_changes', { event: '*', schema: 'public', ...options }, change => changes.push(change))
  await new Promise<void>((resolve, reject) => {
    channel.on('system', {}, message => {
      if (message.status === 'ok') resolve()
      else reject(new Error(message.message))
    })
    channel.subscribe()
  })
  return changes
}

async function enter(client: SupabaseClient, row: Row): Promise<Row> {
  const { data, error } = await client.from('log_entries').insert(row).select().single()
  if (error) throw error
  return data
}

const kinds = (changes: readonly Change[]) => changes.map(change => change.eventType)

test('each user receives the changes of their own rows alone', async () => {
  const mine = await watch(skipper, { table: 'log_entries' })
  const theirs = await watch(mate, { table: 'log_entries' })
  const row = await enter(skipper, { note: 'Weighed anchor.', sea_state: 2, extra: { hands: 3 } })
  await skipper.from('log_entries').update({ wind: 'W 4' }).eq('id', row.id)
  const last = await enter(mate, { note: 'Saw them go.' })
  await vi.waitFor(() => expect([kinds(mine), kinds(theirs)]).toEqual([['INSERT', 'UPDATE'], ['INSERT']]))
  expect(mine[0]).toMatchObject({ schema: 'public', table: 'log_entries', new: row, old: {}, errors: null })
  expect(mine[1]).toMatchObject({ new: { ...row, wind: 'W 4' }, old: { id: row.id } })
  expect(theirs[0]?.new).toEqual(last)
})

test('a deletion tells the primary key and nothing else', async () => {
  const row = await enter(skipper, { note: 'Struck out.' })
  const theirs = await watch(mate, { table: 'log_entries' })
  await skipper.from('log_entries').delete().eq('id', row.id)
  await vi.waitFor(() => expect(kinds(theirs)).toEqual(['DELETE']))
  expect(theirs[0]).toMatchObject({ new: {}, old: { id: row.id } })
  expect(Object.keys(theirs[0]?.old ?? {})).toEqual(['id'])
})

test('a row beyond the size of a notification arrives whole', async () => {
  const mine = await watch(skipper, { table: 'log_entries' })
  const note = 'A long passage. '.repeat(2_000)
  await enter(skipper, { note })
  await vi.waitFor(() => expect(kinds(mine)).toEqual(['INSERT']))
  expect(Reflect.get(mine[0]?.new ?? {}, 'note')).toBe(note)
})

test.each([
  ['sea_state=eq.5', ['5']],
  ['sea_state=neq.5', ['3', '4', '6']],
  ['sea_state=lt.4', ['3']],
  ['sea_state=lte.4', ['3', '4']],
  ['sea_state=gt.5', ['6']],
  ['sea_state=gte.5', ['5', '6']],
  ['sea_state=in.(3,6)', ['3', '6']],
  ['sea_state=not.in.(3,6)', ['4', '5']],
  ['note=like.%4', ['4']],
  ['wind=is.null', ['3', '4', '5', '6']],
  ['sea_state=gt.3,note=neq.5', ['4', '6']],
])('the filter %s lets pass %j', async (filter, expected) => {
  const seen = await watch(skipper, { table: 'log_entries', filter })
  const rows = [3, 4, 5, 6].map(state => ({ sea_state: state, note: String(state) }))
  const all = await watch(skipper, { table: 'log_entries' })
  await skipper.from('log_entries').insert(rows)
  await vi.waitFor(() => expect(all).toHaveLength(4))
  await vi.waitFor(() => expect(seen.map(change => Reflect.get(change.new, 'note'))).toEqual(expected))
})

test('changes keep their order, and a failed batch tells nothing', async () => {
  const mine = await watch(skipper, { table: 'log_entries' })
  const failed = await skipper.from('log_entries').insert([{ note: 'good' }, { note: 'bad', sea_state: 12 }])
  expect(failed.error?.code).toBe('23514')
  const notes = Array.from({ length: 500 }, (_, index) => `Sounding ${index}`)
  await skipper.from('log_entries').insert(notes.map(note => ({ note })))
  await vi.waitFor(() => expect(mine).toHaveLength(500), { timeout: 5_000 })
  expect(mine.map(change => Reflect.get(change.new, 'note'))).toEqual(notes)
})

test('a table that all signed in may read tells all of them', async () => {
  const mine = await watch(skipper, { table: 'vessels' })
  const theirs = await watch(mate, { table: 'vessels' })
  await skipper.from('vessels').insert({ name: 'Petrel' })
  await vi.waitFor(() => expect([kinds(mine), kinds(theirs)]).toEqual([['INSERT'], ['INSERT']]))
})

test.each(['match.(', 'like.%\\'])(
  'a pattern that can not be used, %s, is told to its own user and nobody else',
  async pattern => {
    const broken = skipper.channel(`broken ${pattern}`)
    const told: string[] = []
    broken.on(
      'postgres_changes',
      { event: '*', schema: 'public', table: 'vessels', filter: `name=${pattern}` },
      () => told.push('a change'),
    )
    broken.on('system', {}, message => told.push(`${message.status}: ${message.message}`))
    broken.subscribe()
    await vi.waitFor(() => expect(told).toHaveLength(1))
    const theirs = await watch(mate, { table: 'vessels' })
    const mine = await watch(skipper, { table: 'vessels' })
    await mate.from('vessels').insert({ name: `Tern ${pattern}` })
    await vi.waitFor(() => expect([kinds(mine), kinds(theirs)]).toEqual([['INSERT'], ['INSERT']]))
    await vi.waitFor(() =>
      expect(told).toEqual(['ok: Subscribed to PostgreSQL', 'error: Changes could not be delivered']),
    )
  },
)
