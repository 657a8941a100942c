// A full disk: 503 with a reason, health reports it, and the backend continues when space is back.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { startBackend, type Backend } from '../../backend/index.ts'
import { CHEAP, officialClient } from '../harness/backend.ts'
import { limitDisk } from '../harness/disk-limit.ts'
import { testOnPglite as test } from '../harness/engine.ts'

const dir = mkdtempSync(join(tmpdir(), 'chartroom-full-'))
const disk = limitDisk(dir)
let backend: Backend
beforeAll(async () => {
  backend = await startBackend({ data: { dir }, auth: CHEAP })
})
afterEach(() => disk.free())
afterAll(async () => {
  await backend.stop()
  disk.restore()
  rmSync(dir, { recursive: true, force: true })
})

const REASON = 'The disk that holds the data is full. Free some space; the backend then continues.'
const acknowledged: string[] = []

async function insert(name: string): Promise<Response> {
  const headers = { apikey: backend.secretKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ name, rig: 'x'.repeat(5_000) })
  const response = await fetch(`${backend.url}/rest/v1/vessels`, { method: 'POST', headers, body })
  if (response.ok) acknowledged.push(name)
  return response
}

async function health(): Promise<unknown> {
  const response = await fetch(`${backend.url}/_chartroom/health`)
  const { status, message } = await response.json()
  return { http: response.status, status, ...(message === undefined ? {} : { message }) }
}

async function expectRecovery(): Promise<void> {
  disk.free()
  await expect.poll(health).toEqual({ http: 200, status: 'ok' })
  expect((await insert(`after ${acknowledged.length}`)).status).toBe(201)
  const { data } = await officialClient(backend, backend.secretKey).from('vessels').select('name')
  const found = new Set(data?.map(row => row.name))
  expect(acknowledged.filter(name => !found.has(name))).toEqual([])
}

test.each([
  ['every file', () => true],
  ['the database log', (path: string) => path.includes('pg_wal')],
])('a disk too full for %s responds with 503 until there is space', async (what, isFull) => {
  expect((await insert(`before ${what}`)).status).toBe(201)
  disk.fill(isFull)
  const refused = await insert(`during ${what}`)
  expect({ status: refused.status, retryAfter: refused.headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '1',
  })
  expect(await health()).toEqual({ http: 503, status: 'unavailable', message: REASON })
  await expectRecovery()
})

test('a file that does not fit is refused with 503 and leaves nothing behind', async () => {
  const upload = (name: string) =>
    officialClient(backend, backend.secretKey).storage.from('charts').upload(name, Buffer.alloc(100_000))
  disk.fill(path => path.includes('objects'))
  const { error } = await upload('too-large.bin')
  expect(error).toMatchObject({ status: 503, message: REASON })
  const files = readdirSync(join(dir, 'objects'), { recursive: true, encoding: 'utf8' })
  expect(files.filter(name => name.includes('.'))).toEqual([])
  disk.free()
  expect((await upload('too-large.bin')).error).toBeNull()
})
