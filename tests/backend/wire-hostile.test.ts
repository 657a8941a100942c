// The database URL under hostile bytes and idle transactions: others are served all the same.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend({ databaseAccess: { idleInTransactionMs: 300, transactionMs: 1_000 } })
const url = backend.databaseUrl ?? ''
const port = Number(new URL(url).port)
const open: postgres.Sql[] = []
afterAll(() => Promise.all(open.map(sql => sql.end({ timeout: 1 }))))

function driver(options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, ...options })
  open.push(sql)
  return sql
}

async function expectService(): Promise<void> {
  expect([...(await driver()`select 1 as one`)]).toEqual([{ one: 1 }])
}

function raw(): Socket {
  const socket = connect(port, '127.0.0.1')
  return socket.on('error', () => undefined).resume()
}

test('bytes that are no protocol do no harm', async () => {
  const greeting = Buffer.from('\0\0\0\x08\0\x03\0\0', 'latin1')
  const samples = [
    Buffer.alloc(8),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.from([0, 0, 0, 8, 4, 210, 22, 46]),
    Buffer.from([255, 255, 255, 255, 0, 3, 0, 0]),
    Buffer.concat([greeting, Buffer.from([0x70, 0, 0, 0, 0])]),
    ...Array.from({ length: 20 }, () => randomBytes(200)),
  ]
  for (const bytes of samples) {
    const socket = raw().end(bytes)
    await once(socket, 'close')
  }
  await expectService()
})

/** A socket on which the driver has already given the password. */
async function trusted(): Promise<Socket> {
  const socket = raw()
  await once(socket, 'connect')
  const sql = driver({ socket: () => Promise.resolve(socket) } as postgres.Options<Record<string, never>>)
  await sql`select 1`
  return socket
}

const message = (type: string, body: Uint8Array) => {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

test('messages that make no sense do no harm, whoever sends them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const socket = await trusted()
    const closed = once(socket, 'close')
    for (const type of 'PBDECHFQS') socket.write(message(type, randomBytes(round * 5)))
    socket.write(message('S', Buffer.alloc(0)))
    socket.write(message('z', randomBytes(4)))
    await closed
  }
  await expectService()
})

test('more clients than can be served are turned away in words', async () => {
  const waiting = Array.from({ length: 120 }, raw)
  const turnedAway: string[] = []
  for (const socket of waiting) socket.on('data', bytes => turnedAway.push(bytes.toString()))
  await expect.poll(() => turnedAway.length).toBeGreaterThanOrEqual(20)
  expect(turnedAway[0]).toContain('There are 100 clients already.')
  for (const socket of waiting) socket.destroy()
  await expect.poll(() => driver()`select 1 as one`.catch(() => [])).toHaveLength(1)
})

test('a message too large to be meant ends the client', async () => {
  const socket = await trusted()
  const closed = once(socket, 'close')
  socket.write(Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]))
  await closed
  await expectService()
})

test('a transaction that does nothing is rolled back, so that others get their turn', async () => {
  const held = await driver().reserve()
  await held`begin`
  await held`create table public.wire_idle (id int)`
  const others = fetch(`${backend.url}/rest/v1/vessels?select=name`, {
    headers: { apikey: backend.secretKey },
  })
  expect(await (await others).json()).toHaveLength(4)
  await expect(held`select 1`.execute()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect([...(await driver()`select to_regclass('public.wire_idle') as found`)]).toEqual([{ found: null }])
})

test('a transaction that goes on for ever is rolled back, and its client told', async () => {
  const socket = await trusted()
  const closed = new Promise(resolve => socket.once('close', resolve))
  // What is still on its way when the server closes comes back as an error.
  socket.on('error', () => undefined)
  let told = ''
  socket.removeAllListeners('data').on('data', bytes => {
    told += bytes.toString()
    if (socket.writable && !told.includes('25P04')) socket.write(message('Q', Buffer.from('select 1\0')))
  })
  socket.write(message('Q', Buffer.from('begin; create table public.wire_endless (id int)\0')))
  await closed
  expect(told).toContain(
    'C25P04\0MThe transaction took longer than 1 s while others waited, and is rolled back.',
  )
  expect([...(await driver()`select to_regclass('public.wire_endless') as found`)]).toEqual([{ found: null }])
})

test('stopping ends clients that are in the middle of something', async () => {
  const other = await startTestBackend({ databaseAccess: {} })
  const sql = postgres(other.databaseUrl ?? '', { max: 1 })
  const held = await sql.reserve()
  await held`begin`
  await other.stop()
  await expect(held`select 1`.execute()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await sql.end({ timeout: 0 })
})
