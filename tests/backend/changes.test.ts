// Row changes: recipients, according to row-level security and filters.
import { afterEach, expect, test, vi } from 'vitest'
import type { SupabaseClient } from '@supabase/supabase-js'
import { signedIn, startTestBackend } from '../harness/backend.ts'
import { kinds, watch, type Row } from '../harness/realtime.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')
afterEach(async () => {
  for (const client of [skipper, mate]) await client.removeAllChannels()
})

async function enter(client: SupabaseClient, row: Row): Promise<Row> {
  const { data, error } = await client.from('log_entries').insert(row).select().single()
  if (error) throw error
  return data
}

test('each user only receives changes of rows they own', async () => {
  const mine = await watch(skipper, { table: 'log_entries' })
  const theirs = await watch(mate, { table: 'log_entries' })
  const row = await enter(skipper, { note: 'Weighed anchor.', sea_state: 2, extra: { hands: 3 } })
  await skipper.from('log_entries').update({ wind: 'W 4' }).eq('id', row.id)
  const last = await enter(mate, { note: 'Saw them go.' })
  await vi.waitFor(
    () => expect([kinds(mine), kinds(theirs)]).toEqual([['INSERT', 'UPDATE'], ['INSERT']]),
    10_000,
  )
  expect(mine[0]).toMatchObject({ schema: 'public', table: 'log_entries', new: row, old: {}, errors: null })
  expect(mine[1]).toMatchObject({ new: { ...row, wind: 'W 4' }, old: { id: row.id } })
  expect(theirs[0]?.new).toEqual(last)
})

test('a deletion contains only the primary key', async () => {
  const row = await enter(skipper, { note: 'Struck out.' })
  const theirs = await watch(mate, { table: 'log_entries' })
  await skipper.from('log_entries').delete().eq('id', row.id)
  await vi.waitFor(() => expect(kinds(theirs)).toEqual(['DELETE']))
  expect(theirs[0]).toMatchObject({ new: {}, old: { id: row.id } })
  expect(Object.keys(theirs[0]?.old ?? {})).toEqual(['id'])
})

test('a row larger than a notification arrives complete', async () => {
  const mine = await watch(skipper, { table: 'log_entries' })
  const note = 'A long passage. '.repeat(2_000)
  await enter(skipper, { note })
  await vi.waitFor(() => expect(kinds(mine)).toEqual(['INSERT']))
  expect(Reflect.get(mine[0]?.new ?? {}, 'note')).toBe(note)
})

test('changes keep their order, and a failed batch sends nothing', async () => {
  const mine = await watch(skipper, { table: 'log_entries' })
  const failed = await skipper.from('log_entries').insert([{ note: 'good' }, { note: 'bad', sea_state: 12 }])
  expect(failed.error?.code).toBe('23514')
  const notes = Array.from({ length: 500 }, (_, index) => `Sounding ${index}`)
  await skipper.from('log_entries').insert(notes.map(note => ({ note })))
  await vi.waitFor(() => expect(mine).toHaveLength(500))
  expect(mine.map(change => Reflect.get(change.new, 'note'))).toEqual(notes)
})

test('all signed-in users receive changes of a table that they may all read', async () => {
  const mine = await watch(skipper, { table: 'vessels' })
  const theirs = await watch(mate, { table: 'vessels' })
  await skipper.from('vessels').insert({ name: 'Petrel' })
  await vi.waitFor(() => expect([kinds(mine), kinds(theirs)]).toEqual([['INSERT'], ['INSERT']]))
})

test('a filter that fails on a visible row is only reported to its own subscriber', async () => {
  const filter = 'name=match."(a?b?c?d?){0,26}$"'
  const broken = skipper.channel('broken')
  const reported: string[] = []
  const wanted = { event: '*', schema: 'public', table: 'vessels', filter } as const
  broken.on('postgres_changes', wanted, () => reported.push('a change'))
  broken.on('system', {}, message => reported.push(`${message.status}: ${message.message}`))
  broken.subscribe()
  await vi.waitFor(() => expect(reported).toHaveLength(1))
  const theirs = await watch(mate, { table: 'vessels' })
  const mine = await watch(skipper, { table: 'vessels' })
  await mate.from('vessels').insert({ name: 'ab'.repeat(13_000) })
  await vi.waitFor(() => expect([kinds(mine), kinds(theirs)]).toEqual([['INSERT'], ['INSERT']]))
  await vi.waitFor(
    () => expect(reported).toEqual(['ok: Subscribed to PostgreSQL', 'error: Changes could not be delivered']),
    10_000,
  )
})
