// The database URL with hostile bytes and idle transactions: other clients are still served.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { afterAll, expect } from 'vitest'
import { startWire } from '../../backend/wire/index.ts'
import { startOwnBackend } from '../harness/backend.ts'
import { testOnPglite as test } from '../harness/engine.ts'

const backend = await startOwnBackend({ databaseAccess: { idleInTransactionMs: 300, transactionMs: 1_000 } })
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

/** A socket on which the driver has already sent the password. */
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

test('malformed messages from any client do no harm', async () => {
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

/** Sends bytes and resolves with all received bytes until the server closes the connection. */
async function exchange(bytes: Uint8Array | readonly Uint8Array[], socket = raw()): Promise<string> {
  let received = ''
  socket.on('data', chunk => (received += chunk.toString('latin1')))
  const closed = new Promise(resolve => socket.once('close', resolve))
  for (const part of Array.isArray(bytes) ? bytes : [bytes]) socket.write(part)
  await closed
  return received
}

const untyped = (code: number, body: string | Uint8Array = '') => {
  const packet = Buffer.concat([Buffer.alloc(8), Buffer.from(body as string, 'latin1')])
  packet.writeInt32BE(packet.length, 0)
  packet.writeInt32BE(code, 4)
  return packet
}
const startup = (parameters: string) => untyped(196_608, parameters)
const CANCEL = 80_877_102
const SSL = 80_877_103
const GSS = 80_877_104
const SYNC = message('S', Buffer.alloc(0))
const text = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(`${part}\0`) : Buffer.from(part))))

test.each([
  ['a cancel request with a wrong key', untyped(CANCEL, randomBytes(8)), ''],
  ['a declared length of 2 GB', Buffer.from([0x7f, 255, 255, 255, 0, 3, 0, 0]), 'C08P01'],
  ['a negative length', Buffer.from([0x80, 0, 0, 0, 0, 3, 0, 0]), 'C08P01'],
  ['protocol version 2', untyped(131_072), 'C08P01'],
  ['an unknown version', untyped(0x7f_ff_ff_ff), 'C08P01'],
  ['a query instead of the password', [startup('user\0postgres\0\0'), message('Q', text('select 1'))], 'E'],
  ['a password of random bytes', [startup('user\0postgres\0\0'), message('p', randomBytes(64))], 'E'],
  ['an oversized password', [startup('user\0postgres\0\0'), Buffer.from([0x70, 0, 1, 0, 0])], 'C08P01'],
])('%s closes the connection', async (_what, bytes, expected) => {
  const received = await exchange(bytes)
  expect(expected === '' ? received === '' : received.includes(expected)).toBe(true)
  await expectService()
})

test('encryption requests are declined, and the following messages are read as usual', async () => {
  const received = await exchange([untyped(SSL), untyped(GSS), untyped(CANCEL, randomBytes(8))])
  expect(received).toBe('NN')
  expect(await exchange(Array.from({ length: 1_000 }, () => untyped(GSS)))).toMatch(/^NE.*C08P01/s)
  const junk = await exchange([untyped(SSL), Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])])
  expect(junk).toMatch(/^NE.*C08P01/s)
  await expectService()
})

test("an unknown startup parameter disconnects the client with PostgreSQL's SQLSTATE", async () => {
  const socket = raw()
  let received = ''
  socket.on('data', chunk => (received += chunk.toString('latin1')))
  const options = {
    connection: { no_such_setting: 'x' },
    fetch_types: false,
    socket: async () => (socket.connecting ? (await once(socket, 'connect'), socket) : socket),
  }
  await driver(options as postgres.Options<Record<string, never>>)`select 1`.catch(() => undefined)
  expect(received).toContain('C42704\0Munrecognized configuration parameter "no_such_setting"')
  const oddButKnown = driver({ connection: { application_name: `';drop table x;--` } })
  expect([...(await oddButKnown`show application_name`)]).toEqual([{ application_name: `';drop table x;--` }])
  await expectService()
})

test('messages in a wrong order get errors, and the session continues', async () => {
  const socket = await trusted()
  let received = ''
  socket.on('data', chunk => (received += chunk.toString('latin1')))
  const bind = message('B', text('', 'missing', [0, 0, 0, 0, 0, 0]))
  const execute = message('E', text('missing', [0, 0, 0, 0]))
  const describe = message('D', text([0x53], 'missing'))
  for (const early of [bind, execute, describe]) {
    received = ''
    socket.write(Buffer.concat([early, execute, bind, SYNC]))
    await expect.poll(() => received).toMatch(/^E.*C(26000|34000)\0.*Z.{4}I$/s)
    expect(received.match(/SERROR/g)).toHaveLength(1)
  }
  received = ''
  socket.write(message('Q', text('select 7 as answer')))
  await expect.poll(() => received).toContain('SELECT 1')
  socket.destroy()
  await expectService()
})

test('a flood of Sync messages is answered one by one, while others are served', async () => {
  const socket = await trusted()
  let length = 0
  socket.on('data', chunk => (length += chunk.length))
  socket.write(Buffer.concat(Array.from({ length: 500 }, () => SYNC)))
  await expectService()
  await expect.poll(() => length).toBe(500 * 6)
  socket.destroy()
})

test('a series of messages without its Sync is rolled back, so that others get their turn', async () => {
  const socket = await trusted()
  const parse = message('P', text('', 'create table public.wire_half (id int)', [0, 0]))
  const bind = message('B', text('', '', [0, 0, 0, 0, 0, 0]))
  const execute = message('E', text('', [0, 0, 0, 0]))
  expect(await exchange([parse, bind, execute], socket)).toContain('C25P03')
  expect([...(await driver()`select to_regclass('public.wire_half') as found`)]).toEqual([{ found: null }])
})

test('a client that never finishes a message or disappears blocks no other client', async () => {
  const [slow, gone] = [await trusted(), await trusted()]
  slow.write(Buffer.from([0x51, 3, 255, 255, 255, 0x73]))
  gone.write(Buffer.concat([message('Q', text('begin')), Buffer.from([0x51, 0, 0])]))
  gone.destroy()
  await expectService()
  const rest = await fetch(`${backend.url}/rest/v1/vessels?select=name`, {
    headers: { apikey: backend.secretKey },
  })
  expect(await rest.json()).toHaveLength(4)
  const inTransaction = await driver().unsafe('select now() <> statement_timestamp() as answer').simple()
  expect([...inTransaction]).toEqual([{ answer: false }])
  slow.destroy()
})

test('clients that never start or never send a password are closed by a timeout', async () => {
  const wire = await startWire({
    exclusive: () => Promise.reject(new Error('The database is not used.')),
    onReopened: () => undefined,
    password: 'secret',
    port: 0,
    greetingMs: 200,
  })
  const received = await Promise.all(
    [[], [Buffer.from([0, 0])], [untyped(SSL)], [startup('user\0postgres\0\0')]].map(bytes =>
      exchange(bytes, connect(wire.port, '127.0.0.1')),
    ),
  )
  expect(received.map(answer => answer.slice(0, 1))).toEqual(['', '', 'N', 'R'])
  await wire.stop()
})

test('random bytes after the password end at most their own session, with bounded memory', async () => {
  const before = process.memoryUsage().arrayBuffers
  for (let round = 0; round < 3; round += 1) {
    const sockets = await Promise.all(Array.from({ length: 4 }, trusted))
    await Promise.all(
      sockets.map(socket =>
        exchange(
          Buffer.concat([randomBytes(100_000), Buffer.from('z\0')]),
          socket.setTimeout(500, () => socket.destroy()),
        ),
      ),
    )
  }
  await expectService()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * 1024 * 1024)
})

test('rejects more clients than can be served with a message', async () => {
  const waiting = Array.from({ length: 120 }, raw)
  const turnedAway: string[] = []
  for (const socket of waiting) socket.on('data', bytes => turnedAway.push(bytes.toString()))
  await expect.poll(() => turnedAway.length).toBeGreaterThanOrEqual(20)
  expect(turnedAway[0]).toContain('There are already 100 clients.')
  for (const socket of waiting) socket.destroy()
  await expect.poll(() => driver()`select 1 as one`.catch(() => [])).toHaveLength(1)
})

test('an oversized message disconnects the client', async () => {
  const socket = await trusted()
  const closed = once(socket, 'close')
  socket.write(Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]))
  await closed
  await expectService()
})

test('an idle transaction is rolled back, so that others get their turn', async () => {
  // A query after the end of its connection would be an uncaught error of the driver.
  const closed = Promise.withResolvers<void>()
  const held = await driver({ onclose: () => closed.resolve() }).reserve()
  await held`begin`
  await held`create table public.wire_idle (id int)`
  const others = fetch(`${backend.url}/rest/v1/vessels?select=name`, {
    headers: { apikey: backend.secretKey },
  })
  expect(await (await others).json()).toHaveLength(4)
  await closed.promise
  expect([...(await driver()`select to_regclass('public.wire_idle') as found`)]).toEqual([{ found: null }])
})

test('an endless transaction is rolled back, and its client is notified', async () => {
  const socket = await trusted()
  const closed = new Promise(resolve => socket.once('close', resolve))
  // Data that is still being sent when the server closes returns as an error.
  socket.on('error', () => undefined)
  let text = ''
  socket.removeAllListeners('data').on('data', bytes => {
    text += bytes.toString()
    if (socket.writable && !text.includes('25P04')) socket.write(message('Q', Buffer.from('select 1\0')))
  })
  socket.write(message('Q', Buffer.from('begin; create table public.wire_endless (id int)\0')))
  await closed
  expect(text).toContain(
    'C25P04\0MThe transaction took longer than 1 s while others waited, and was rolled back.',
  )
  expect([...(await driver()`select to_regclass('public.wire_endless') as found`)]).toEqual([{ found: null }])
})

test('stopping disconnects clients in the middle of their work', async () => {
  const other = await startOwnBackend({ databaseAccess: {} })
  const sql = postgres(other.databaseUrl ?? '', { max: 1 })
  const held = await sql.reserve()
  await held`begin`
  await other.stop()
  await expect(held`select 1`.execute()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await sql.end({ timeout: 0 })
})
