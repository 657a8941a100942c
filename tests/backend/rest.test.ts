// The REST service, used through the official client.
import { expect, test } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')

test("each user sees forty seeded log entries, and none of the other user's", async () => {
  const mine = await skipper.from('log_entries').select('id, author, note')
  const theirs = await mate.from('log_entries').select('id, author, note')
  expect([mine.data?.length, theirs.data?.length]).toEqual([40, 40])
  expect(new Set([...(mine.data ?? []), ...(theirs.data ?? [])].map(row => row.author)).size).toBe(2)
  expect(new Set(mine.data?.map(row => row.note)).size).toBe(40)
})

test('a row is created, changed and deleted by its author, which defaults to the user', async () => {
  const inserted = await skipper.from('log_entries').insert({ note: 'Made fast.' }).select().single()
  expect(inserted.status).toBe(201)
  expect(inserted.data).toMatchObject({
    note: 'Made fast.',
    author: (await skipper.auth.getUser()).data.user?.id,
  })
  const id: unknown = inserted.data?.id
  const updated = await skipper
    .from('log_entries')
    .update({ wind: 'SW 5' })
    .eq('id', id)
    .select('wind')
    .single()
  expect(updated.data).toEqual({ wind: 'SW 5' })
  expect((await skipper.from('log_entries').delete().eq('id', id)).status).toBe(204)
  expect((await skipper.from('log_entries').select().eq('id', id)).data).toEqual([])
})

test("another user's row cannot be changed, deleted or forged", async () => {
  const { data } = await skipper.from('log_entries').select('id, author').order('id').limit(1).single()
  const changed = await mate.from('log_entries').update({ note: 'mine now' }).eq('id', data?.id).select()
  expect(changed.data).toEqual([])
  const removed = await mate.from('log_entries').delete().eq('id', data?.id).select()
  expect(removed.data).toEqual([])
  const forged = await mate.from('log_entries').insert({ note: 'forged', author: data?.author })
  expect({ status: forged.status, code: forged.error?.code }).toEqual({ status: 403, code: '42501' })
})

test('all signed-in users see vessels, only the owner edits them', async () => {
  const { data } = await mate.from('vessels').select('name').order('name')
  expect(data?.map(vessel => vessel.name)).toEqual(['Harbour Punt', 'Kittiwake', 'Marigold', 'Old Patience'])
  const changed = await mate.from('vessels').update({ rig: 'raft' }).eq('name', 'Kittiwake').select()
  expect(changed.data).toEqual([])
  expect((await officialClient(backend).from('vessels').select()).data).toEqual([])
})

test('a delete does not return rows that a policy keeps, with or without casts and renames', async () => {
  await mate.from('vessels').insert({ name: 'Dinghy', rig: 'sprit' })
  const gone = await mate
    .from('vessels')
    .delete()
    .in('name', ['Dinghy', 'Kittiwake'])
    .select('called:name, length_m::text')
  expect(gone.data).toEqual([{ called: 'Dinghy', length_m: null }])
  const { data } = await mate.from('vessels').select('name').in('name', ['Dinghy', 'Kittiwake'])
  expect(data).toEqual([{ name: 'Kittiwake' }])
})

test('embedding, counting and ranges work', async () => {
  const { data, count } = await skipper
    .from('log_entries')
    .select('id, voyages(destination, vessels(name))', { count: 'exact' })
    .order('at')
    .range(0, 1)
  expect(count).toBe(40)
  expect(data?.map(row => row.voyages)).toEqual([
    { destination: 'Northing Head', vessels: { name: 'Kittiwake' } },
    { destination: 'Northing Head', vessels: { name: 'Kittiwake' } },
  ])
})

test('an unknown table is an error with a code', async () => {
  const { error, status } = await skipper.from('krakens').select()
  expect({ status, code: error?.code }).toEqual({ status: 404, code: 'PGRST205' })
})

test('concurrent writes and reads all succeed', async () => {
  const notes = Array.from({ length: 20 }, (_, index) => `Sounding ${index}`)
  const results = await Promise.all([
    ...notes.map(note => mate.from('log_entries').insert({ note })),
    ...notes.map(() => mate.auth.getUser()),
  ])
  expect(results.map(result => result.error).filter(Boolean)).toEqual([])
  const { data } = await mate.from('log_entries').select('note').like('note', 'Sounding %')
  expect(data?.map(row => row.note).toSorted()).toEqual(notes.toSorted())
})

async function describe(headers: Record<string, string>) {
  const response = await fetch(`${backend.url}/rest/v1/`, { headers })
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

test('the root describes tables, columns and keys', async () => {
  const { data } = await skipper.auth.getSession()
  const { status, type, body } = await describe({
    apikey: backend.secretKey,
    authorization: `Bearer ${data.session?.access_token}`,
  })
  expect([status, type]).toEqual([200, 'application/openapi+json; charset=utf-8'])
  expect(Object.keys(body.definitions)).toEqual(['log_entries', 'vessels', 'voyages'])
  expect(body.definitions.log_entries.required).toEqual(['id', 'at', 'note', 'author'])
  expect(body.definitions.log_entries.properties).toMatchObject({
    id: { type: 'integer', format: 'int64', description: 'Note:\nThis is a Primary Key.<pk/>' },
    voyage: {
      type: 'integer',
      format: 'int64',
      description: "Note:\nThis is a Foreign Key to `voyages.id`.<fk table='voyages' column='id'/>",
    },
    at: { type: 'string', format: 'timestamp with time zone', default: 'now()' },
    wind: { type: 'string', format: 'text', description: 'Direction and Beaufort force, for instance SW 5.' },
    note: { type: 'string', format: 'text', default: '' },
    extra: { format: 'jsonb' },
    author: { type: 'string', format: 'uuid', default: 'auth.uid()' },
  })
})

test('the root rejects a foreign token', async () => {
  const { status, body } = await describe({ apikey: backend.publishableKey, authorization: 'Bearer a.b.c' })
  expect([status, body.code]).toEqual([401, 'PGRST301'])
})
