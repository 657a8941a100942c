// The contract with supabase-js 2.39: rows, files, functions and realtime.
import type { RealtimeChannel } from 'supabase-js-2-39'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestBackend } from '../../harness/backend.ts'
import { olderClient, olderSkipper } from './older-client.ts'

const backend = await startTestBackend()
const skipper = await olderSkipper(backend)
const guest = olderClient(backend)
afterEach(async () => {
  for (const client of [skipper, guest]) await client.removeAllChannels()
})

test('from: insert, select, update, upsert, delete', async () => {
  const made = await skipper
    .from('log_entries')
    .insert({ note: 'Old hand aboard.' })
    .select('id, note')
    .single()
  expect([made.status, made.data?.note]).toEqual([201, 'Old hand aboard.'])
  const id = Number(made.data?.id)
  const changed = await skipper
    .from('log_entries')
    .update({ wind: 'NE 3' })
    .eq('id', id)
    .select('wind')
    .single()
  expect(changed.data).toEqual({ wind: 'NE 3' })
  const merged = await skipper.from('log_entries').upsert({ id, note: 'Merged.' }).select('note').single()
  expect(merged.data).toEqual({ note: 'Merged.' })
  const counted = await skipper.from('log_entries').select('id', { count: 'exact', head: true }).eq('id', id)
  expect([counted.count, counted.data]).toEqual([1, null])
  expect((await skipper.from('log_entries').delete().eq('id', id)).status).toBe(204)
  const gone = await skipper.from('log_entries').select().eq('id', id).maybeSingle()
  expect([gone.data, gone.error]).toEqual([null, null])
})

test('from: embedding, order, range and csv', async () => {
  const { data, count } = await skipper
    .from('log_entries')
    .select('id, voyages!inner(destination)', { count: 'exact' })
    .order('id', { ascending: false })
    .range(0, 1)
  expect([data?.length, count]).toEqual([2, 40])
  const { data: csv } = await skipper.from('vessels').select('name').order('name').limit(1).csv()
  expect(csv).toBe('name\n"Harbour Punt"')
})

test('rpc: an unknown function is PGRST202', async () => {
  const { error, status } = await skipper.rpc('no_such_function', { a: 1 })
  expect([status, error?.code]).toEqual([404, 'PGRST202'])
})

test('storage: upload, list, download, signed URL, remove', async () => {
  const { data } = await skipper.auth.getUser()
  const bucket = skipper.storage.from('charts')
  const path = `${data.user?.id}/older.txt`
  expect((await bucket.upload(path, new Blob(['soundings']), { contentType: 'text/plain' })).error).toBeNull()
  const { data: files } = await bucket.list(data.user?.id)
  expect(files?.some(({ name }) => name === 'older.txt')).toBe(true)
  expect(await (await bucket.download(path)).data?.text()).toBe('soundings')
  const signed = await bucket.createSignedUrl(path, 60)
  expect(await (await fetch(signed.data?.signedUrl ?? '')).text()).toBe('soundings')
  expect((await bucket.remove([path])).error).toBeNull()
  expect((await bucket.download(path)).error).not.toBeNull()
})

test('functions: a response, and an error response', async () => {
  const { data, error } = await skipper.functions.invoke('tide', { body: { at: '2026-06-01T12:00:00Z' } })
  expect([typeof data, error]).toEqual(['object', null])
  const missing = await skipper.functions.invoke('none')
  expect(missing.error?.name).toBe('FunctionsHttpError')
})

function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel)
      else if (status !== 'CLOSED') reject(error ?? new Error(status))
    })
  })
}

test('realtime: a broadcast with acknowledgment reaches the other client', async () => {
  const received: unknown[] = []
  await joined(
    guest.channel('older').on('broadcast', { event: 'hail' }, message => received.push(message.payload)),
  )
  const sender = await joined(skipper.channel('older', { config: { broadcast: { ack: true } } }))
  expect(await sender.send({ type: 'broadcast', event: 'hail', payload: { words: 'ahoy' } })).toBe('ok')
  await vi.waitFor(() => expect(received).toEqual([{ words: 'ahoy' }]))
})

test('realtime: the other client sees presence and its end', async () => {
  const watch = guest.channel('older-watch')
  await joined(watch.on('presence', { event: 'sync' }, () => undefined))
  const tracked = await joined(skipper.channel('older-watch', { config: { presence: { key: 'skipper' } } }))
  await tracked.track({ at: 'helm' })
  await vi.waitFor(
    () =>
      expect(watch.presenceState()).toEqual({ skipper: [{ at: 'helm', presence_ref: expect.any(String) }] }),
    10_000,
  )
  await tracked.untrack()
  await vi.waitFor(() => expect(watch.presenceState()).toEqual({}))
})

test('realtime: row changes arrive', async () => {
  const seen: unknown[] = []
  const channel = skipper
    .channel('older-rows')
    .on('postgres_changes', { event: '*', schema: 'public', table: 'log_entries' }, change => {
      seen.push([change.eventType, Reflect.get(change.new, 'note')])
    })
  const ready = vi.fn<() => void>()
  // Its types lack the event that reports when changes are active.
  const hear = (message: object) => void (Reflect.get(message, 'status') === 'ok' && ready())
  Reflect.apply(channel.on, channel, ['system', {}, hear])
  await joined(channel)
  await vi.waitFor(() => expect(ready).toHaveBeenCalled())
  // As in production, a change is not sent if its row no longer exists.
  const last = (change: unknown) => vi.waitFor(() => expect(seen.at(-1)).toEqual(change), 10_000)
  const { data } = await skipper
    .from('log_entries')
    .insert({ note: 'Seen by the old.' })
    .select('id')
    .single()
  await last(['INSERT', 'Seen by the old.'])
  await skipper.from('log_entries').update({ note: 'Seen again.' }).eq('id', Number(data?.id))
  await last(['UPDATE', 'Seen again.'])
  await skipper.from('log_entries').delete().eq('id', Number(data?.id))
  await last(['DELETE', undefined])
  expect(seen).toHaveLength(3)
})
