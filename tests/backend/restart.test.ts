// Stop and restart: what persists, what is closed, and the lock on the data.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startBackend, type Backend } from '../../backend/index.ts'
import { signedIn } from '../harness/backend.ts'

const dir = mkdtempSync(join(tmpdir(), 'chartroom-data-'))
const running: Backend[] = []
afterAll(async () => {
  await Promise.all(running.map(backend => backend.stop()))
  rmSync(dir, { recursive: true, force: true })
})

async function start(options: Parameters<typeof startBackend>[0]): Promise<Backend> {
  const backend = await startBackend(options)
  running.push(backend)
  return backend
}

/** The data of a backend object, without its methods. */
const plain = ({ inbox: _inbox, faults: _faults, stop: _stop, ...rest }: Backend) => rest

test('data, files, keys and sessions persist; sockets are closed with 1012', async () => {
  const first = await start({ data: { dir } })
  const skipper = await signedIn(first, 'skipper')
  const { data: row } = await skipper
    .from('log_entries')
    .insert({ note: 'Before the stop.' })
    .select()
    .single()
  const path = `${row.author}/kept.bin`
  await skipper.storage.from('charts').upload(path, Uint8Array.of(0, 255, 10))
  const query = `apikey=${first.publishableKey}&vsn=2.0.0`
  const socket = new WebSocket(`${first.url.replace('http', 'ws')}/realtime/v1/websocket?${query}`)
  await once(socket, 'open')
  const closed = once(socket, 'close')
  await first.stop()
  expect((await closed)[0]).toBe(1012)

  const second = await start({ data: { dir }, port: first.port })
  expect(plain(second)).toEqual(plain(first))
  const kept = await skipper.from('log_entries').select('note').eq('id', row.id).single()
  expect(kept.data).toEqual({ note: 'Before the stop.' })
  expect((await skipper.from('vessels').select()).data).toHaveLength(4)
  const file = await skipper.storage.from('charts').download(path)
  expect(new Uint8Array((await file.data?.arrayBuffer()) ?? [])).toEqual(Uint8Array.of(0, 255, 10))
  expect((await skipper.auth.refreshSession()).error).toBeNull()
  expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600)
  await second.stop()
})

test('a directory in use is reported and released by the stop', async () => {
  const holder = await start({ data: { dir } })
  const message = `The data directory ${dir} is in use by process ${process.pid}.`
  await expect(startBackend({ data: { dir } })).rejects.toThrow(message)
  const program = `import { startBackend } from './backend/index.ts'
    await startBackend({ data: { dir: ${JSON.stringify(dir)} } }).catch(error => console.log(error.message))`
  const other = spawnSync(
    process.execPath,
    ['--liftoff-only', '--input-type=module-typescript', '-e', program],
    {
      encoding: 'utf8',
    },
  )
  expect(other.stdout).toContain(message)
  await holder.stop()
  expect(JSON.parse(readFileSync(join(dir, 'lock.json'), 'utf8'))).toEqual({ released: true })
})

test('a lock of a dead process is ignored', async () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  writeFileSync(join(dir, 'lock.json'), JSON.stringify({ pid: gone, startedAt: '1' }))
  const backend = await start({ data: { dir } })
  expect(backend.dataDir).toBe(dir)
  await backend.stop()
})

test('damaged secrets are reported with a fix, and nothing is overwritten', async () => {
  const broken = join(dir, 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, 'secrets.json'), '{"jwtSecret":')
  const message = `${join(broken, 'secrets.json')} is damaged. Delete it to create new keys; all users must then sign in again.`
  await expect(startBackend({ data: { dir: broken } })).rejects.toThrow(message)
  expect(readdirSync(broken).sort()).toEqual(['lock', 'lock.json', 'secrets.json'])
  expect(readFileSync(join(broken, 'secrets.json'), 'utf8')).toBe('{"jwtSecret":')
})

test('a database left by an interrupted first start is renamed', async () => {
  const half = join(dir, 'half')
  mkdirSync(join(half, 'database'), { recursive: true })
  writeFileSync(join(half, 'database', 'PG_VERSION'), '17')
  const backend = await start({ data: { dir: half } })
  expect((await (await signedIn(backend, 'mate')).from('log_entries').select('id')).data).toHaveLength(40)
  expect(readdirSync(join(half, 'database.unfinished'))).toEqual(['PG_VERSION'])
  await backend.stop()
})

test('memory is lost on stop, including sessions and keys', async () => {
  const first = await start({ data: 'memory' })
  const mate = await signedIn(first, 'mate')
  await mate.from('log_entries').insert({ note: 'Soon forgotten.' })
  const token = (await mate.auth.getSession()).data.session?.access_token
  await first.stop()
  const second = await start({ data: 'memory', port: first.port })
  expect(second.publishableKey).not.toBe(first.publishableKey)
  expect((await mate.from('log_entries').select()).status).toBe(401)
  const authorization = `Bearer ${token}`
  const response = await fetch(`${second.url}/rest/v1/log_entries`, {
    headers: { apikey: second.publishableKey, authorization },
  })
  expect([response.status, await response.json()]).toEqual([
    401,
    expect.objectContaining({ code: 'PGRST301' }),
  ])
  const fresh = await signedIn(second, 'mate')
  expect((await fresh.from('log_entries').select('id')).data).toHaveLength(40)
  await second.stop()
})

test('a running request is answered before the stop; afterwards nothing responds', async () => {
  const underWay = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  const backend = await start({
    data: 'memory',
    site: async () => {
      underWay.resolve()
      await mayAnswer.promise
      return new Response('to the end')
    },
  })
  const answer = fetch(`${backend.url}/slow`)
  await underWay.promise
  const stopped = backend.stop()
  mayAnswer.resolve()
  expect(await (await answer).text()).toBe('to the end')
  await stopped
  await backend.stop()
  await expect(fetch(`${backend.url}/_chartroom/health`)).rejects.toThrow('fetch failed')
})
