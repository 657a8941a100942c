// Broken connections and slow bodies: what was executed, what was lost, and what arrived.
import { describe, expect, test } from 'vitest'
import { fieldOf } from '../../../backend/shared/fields.ts'
import { startBackend } from '../../../backend/index.ts'
import { officialClient, signedIn, startOwnBackend } from '../../harness/backend.ts'
import { faultScene } from '../../harness/faults.ts'

const backend = await startOwnBackend()
const { given, keep, story } = faultScene(backend)
const key = { apikey: backend.publishableKey }
const get = (path: string, init: RequestInit = {}) =>
  fetch(`${backend.url}${path}`, { headers: key, ...init })
/** The system error code of a failed call. */
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => fieldOf(fieldOf(error, 'cause'), 'code'),
  )

describe('a reset connection', () => {
  test.each([
    ['request', []],
    ['response', [{ name: 'lost response' }]],
  ] as const)('losing the %s shows whether the write was executed', async (lost, written) => {
    const skipper = await signedIn(backend, 'skipper')
    given({ when: { family: 'rest', method: 'POST' }, do: { lost }, times: 1 })
    const { error, status } = await skipper.from('vessels').insert({ name: `lost ${lost}` })
    expect([status, error?.message]).toEqual([0, expect.stringContaining('fetch failed')])
    const { data } = await skipper.from('vessels').select('name').like('name', 'lost%')
    expect(data).toEqual(written)
    await skipper.from('vessels').delete().like('name', 'lost%')
  })

  test('is ECONNRESET for the caller and does not affect others', async () => {
    given({ id: 'cut', when: { path: '/rest/v1/vessels' }, do: { lost: 'request' } })
    const calls = ['vessels', 'voyages', 'vessels', 'voyages'].map(name => reasonOf(get(`/rest/v1/${name}`)))
    expect(await Promise.all(calls)).toEqual(['ECONNRESET', 'answered', 'ECONNRESET', 'answered'])
    expect(story().toSorted()).toEqual(['cut#1 GET /rest/v1/vessels', 'cut#2 GET /rest/v1/vessels'])
  })

  test('can affect the preflight', async () => {
    given({ when: { method: 'OPTIONS' }, do: { lost: 'request' } })
    expect(await reasonOf(get('/rest/v1/vessels', { method: 'OPTIONS' }))).toBe('ECONNRESET')
    expect(await reasonOf(get('/rest/v1/vessels'))).toBe('answered')
  })
})

describe('a body', () => {
  const file = 'a chart of the harbour, drawn by hand'
  const upload = async () => {
    const skipper = await signedIn(backend, 'skipper')
    const { data } = await skipper.auth.getUser()
    const path = `${data.user?.id}/hand.txt`
    await skipper.storage
      .from('charts')
      .upload(path, new Blob([file], { type: 'text/plain' }), { upsert: true })
    return { skipper, path }
  }

  test('that is cut off gives its first bytes and then an error, never a short file', async () => {
    const { skipper, path } = await upload()
    given({ id: 'short', when: { family: 'storage', method: 'GET' }, do: { truncate: 7 } })
    const { data } = await skipper.auth.getSession()
    const authorization = `Bearer ${data.session?.access_token}`
    const response = await get(`/storage/v1/object/charts/${path}`, { headers: { ...key, authorization } })
    expect([response.status, response.headers.get('x-chartroom-fault')]).toEqual([200, 'short#1'])
    const arrived: Uint8Array[] = []
    const read = async () => {
      for await (const chunk of response.body ?? []) arrived.push(chunk)
    }
    await expect(read()).rejects.toThrow('terminated')
    expect(Buffer.concat(arrived).toString()).toBe(file.slice(0, 7))
    await expect(
      skipper.storage
        .from('charts')
        .download(path)
        .then(answer => answer.data),
    ).rejects.toThrow('terminated')
  })

  test('that is slow arrives completely, and late', async () => {
    const { skipper, path } = await upload()
    given({ when: { family: 'storage', method: 'GET' }, do: { bytesPerSecond: 200 } })
    const since = performance.now()
    const { data } = await skipper.storage.from('charts').download(path)
    expect(await data?.text()).toBe(file)
    expect(performance.now() - since).toBeGreaterThan((file.length / 200) * 1_000 * 0.9)
  })

  test('that is empty can only be cut off with its connection', async () => {
    given({ when: { method: 'HEAD' }, do: { truncate: 0 } })
    expect(await reasonOf(get('/rest/v1/vessels', { method: 'HEAD' }))).toBe('ECONNRESET')
  })
})

test('stopping the backend releases everything that is held, delayed or slow', async () => {
  const faults = [
    { id: 'held', when: { path: '/rest/v1/vessels' }, do: { hold: 'request' } },
    { id: 'late', when: { path: '/rest/v1/voyages' }, do: { delay: 600_000 } },
    { id: 'slow', when: { path: '/rest/v1/log_entries' }, do: { bytesPerSecond: 1 } },
  ] as const
  const other = await startBackend({ data: 'memory', faults: { faults } })
  const client = officialClient(other, other.secretKey)
  const calls = ['vessels', 'voyages', 'log_entries'].map(name =>
    client
      .from(name)
      .select()
      .then(({ status }) => status),
  )
  await expect.poll(() => other.faults.hits().length).toBe(3)
  const since = performance.now()
  await other.stop()
  expect(performance.now() - since).toBeLessThan(10_000)
  expect(await Promise.all(calls)).toEqual([200, 200, 200])
  expect(other.faults.heldRequests()).toEqual([])
})

test('a removed fault has no further effect, except for what it holds', async () => {
  const request = keep('kept', { path: '/rest/v1/vessels' })
  const call = reasonOf(get('/rest/v1/vessels'))
  await request.arrived()
  expect(backend.faults.clear('kept')).toBe(1)
  expect(await reasonOf(get('/rest/v1/vessels'))).toBe('answered')
  await request.release()
  expect(await call).toBe('answered')
  expect(backend.faults.plan()).toEqual({ seed: 1, faults: [] })
})

test('a backend does not start with an invalid plan', async () => {
  const faults = { faults: [{ do: { delay: -1 } }] }
  await expect(startBackend({ data: 'memory', faults })).rejects.toThrow(/^faults\.0\.do\.delay: must be/)
})
