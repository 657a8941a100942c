// The connection to `chartroom serve`: it reconnects after growing waits, and ends with the page.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSocketSource } from '../../../../src/ui/console/attach/app-sources.ts'

class Socket extends EventTarget {
  static readonly all: Socket[] = []
  readonly url: string
  isClosed = false
  constructor(url: string) {
    super()
    this.url = url
    Socket.all.push(this)
  }
  close() {
    this.isClosed = true
  }
  lose() {
    this.dispatchEvent(new Event('close'))
  }
}

beforeEach(() => {
  Socket.all.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const latest = () => Socket.all.at(-1) ?? expect.unreachable()

function open(location = { protocol: 'http:', host: 'localhost:1' }) {
  const states: boolean[] = []
  const taken: string[] = []
  const close = openSocketSource({
    location: location as Location,
    onState: isOpen => states.push(isOpen),
    take: (text, from) => taken.push(`${from}: ${text}`),
    disconnected: from => taken.push(`${from} is gone`),
  })
  return { states, taken, close }
}

/** Loses the connection, and returns how long it takes until the next one. */
function waitAfterLoss(): number {
  const before = Socket.all.length
  latest().lose()
  const from = Date.now()
  vi.advanceTimersToNextTimer()
  expect(Socket.all.length).toBe(before + 1)
  return Date.now() - from
}

test('it connects to the server of its page, over TLS if the page was loaded so', () => {
  open().close()
  open({ protocol: 'https:', host: 'a.test' }).close()
  expect(Socket.all.map(({ url }) => url)).toEqual([
    'ws://localhost:1/_chartroom/console',
    'wss://a.test/_chartroom/console',
  ])
})

test('it reconnects after waits that double up to 5 s, and start again after a connection', () => {
  const { states, close } = open()
  expect([1, 2, 3, 4, 5, 6].map(waitAfterLoss)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000])
  latest().dispatchEvent(new Event('open'))
  expect(states.at(-1)).toBe(true)
  expect([1, 2].map(waitAfterLoss)).toEqual([500, 1_000])
  expect(states.at(-1)).toBe(false)
  close()
})

test('closed while it is connected, or while it waits, it connects no more', () => {
  const first = open()
  latest().dispatchEvent(new Event('open'))
  first.close()
  expect(latest().isClosed).toBe(true)
  latest().lose()
  const second = open()
  latest().lose()
  second.close()
  vi.advanceTimersByTime(60_000)
  expect([Socket.all.length, vi.getTimerCount()]).toEqual([2, 0])
})

test('messages are taken, also after a reconnect, and garbage is ignored', () => {
  const { taken, close } = open()
  const say = (data: unknown) => latest().dispatchEvent(new MessageEvent('message', { data }))
  for (const data of [{ run: 'a' }, { n: 1, from: 'app', text: 'one' }]) say(JSON.stringify(data))
  for (const data of ['', 'no JSON', 'null', '[]', '{"n":-1}', 5, new Blob(['x'])]) say(data)
  waitAfterLoss()
  for (const data of [{ run: 'a' }, { n: 1, from: 'app', text: 'one' }, { n: 2, from: 'app', text: 'two' }])
    say(JSON.stringify(data))
  expect(taken).toEqual(['a app: one', 'a app: two'])
  close()
})
