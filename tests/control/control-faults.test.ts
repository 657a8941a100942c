// Injected local faults: what requests, sockets, storage, the page and the clock see, and how each fault is
// reported.
import { createActor, createMachine } from 'xstate'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Control, ControlPoint } from '../../src/services/control/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const REST = 'http://harbour.test/rest/v1/vessels'
const TOKEN = 'http://harbour.test/auth/v1/token?grant_type='

/** A socket without a connection. */
class DeadSocket extends EventTarget {
  readonly sent: unknown[] = []
  closed = 0
  send(data: unknown): void {
    this.sent.push(data)
  }
  close(): void {
    this.closed += 1
  }
}

function scene() {
  const requests: string[] = []
  const kept = new Map<string, string>()
  const window = new EventTarget()
  const point = new ControlPoint()
  const world = point.world({
    fetch: input => {
      requests.push(input instanceof Request ? input.url : input.toString())
      return Promise.resolve(new Response('[]', { headers: { 'x-chartroom-fault': 'squall#4' } }))
    },
    WebSocket: DeadSocket as unknown as typeof WebSocket,
    storage: {
      getItem: key => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: () => undefined,
    },
    clock: createVirtualClock(),
    page: {
      window,
      document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
      navigator: { onLine: true },
    },
  })
  const actor = createActor(createMachine({ id: 'idle' }), { clock: world.clock as never })
  point.attach({ actor, send: () => undefined })
  const { faults, state } = new Control(point)
  const ask = async (url = REST, token = 'first') => {
    const headers = { apikey: 'key', authorization: `Bearer ${token}` }
    try {
      const answer = await world.fetch(url, { headers })
      return [answer.status, answer.headers.get('x-chartroom-fault'), await answer.json()]
    } catch (error) {
      return [(error as Error).message, (error as { faultId?: string }).faultId]
    }
  }
  const open = () => {
    if (!world.WebSocket) throw new Error('there are sockets')
    const socket = new world.WebSocket('ws://harbour.test')
    const received: string[] = []
    for (const type of ['message', 'close'])
      socket.addEventListener(type, event => {
        const { code, reason } = event as CloseEvent
        received.push(type === 'close' ? `${code} ${reason}` : String((event as MessageEvent).data))
      })
    const comes = (data: string) => socket.dispatchEvent(new MessageEvent('message', { data }))
    return { socket, received, comes, line: socket as unknown as DeadSocket }
  }
  return { ask, requests, faults, kept, open, state, window, world }
}

const PASSED = [200, 'squall#4', []]

afterEach(() => void vi.useRealTimers())

describe('requests', () => {
  test('pass unchanged without a fault', async () => {
    const { ask } = scene()
    expect(await ask()).toEqual(PASSED)
  })

  test('are not sent while unreachable; the hit is counted and reported', async () => {
    const { ask, requests, faults, state } = scene()
    faults.set({ kind: 'unreachable' })
    expect([await ask(), await ask(), requests]).toEqual([
      ['Failed to fetch', 'local.unreachable#1'],
      ['Failed to fetch', 'local.unreachable#2'],
      [],
    ])
    expect(state().faults.map(({ text, hits }) => [text, hits])).toEqual([['No response', 2]])
    faults.clear()
    expect(await ask()).toEqual(PASSED)
    faults.set({ kind: 'unreachable' })
    expect(await ask()).toEqual(['Failed to fetch', 'local.unreachable#3'])
  })

  test('fail n times, with a response or without, then pass again', async () => {
    const { ask, faults, state } = scene()
    faults.set({ kind: 'fail', times: 2, status: 503 })
    const message = 'A client-side fault returned 503'
    const refused = { code: 'FAULT503', message, details: null, hint: null }
    expect(await ask()).toEqual([503, 'local.fail#1', refused])
    expect(state().faults.map(({ text }) => text)).toEqual(['The next request fails with 503'])
    expect(await ask()).toEqual([503, 'local.fail#2', refused])
    expect([await ask(), state().faults]).toEqual([PASSED, []])
    faults.set({ kind: 'fail', times: 1, path: '/storage/' })
    expect(await ask()).toEqual(PASSED)
    expect(await ask('http://harbour.test/storage/v1/object/a')).toEqual(['Failed to fetch', 'local.fail#3'])
  })

  test('with an expired token fail like their family; a new token and the API key pass', async () => {
    const { ask, faults } = scene()
    faults.set({ kind: 'expireToken' })
    expect(await ask(REST, 'key')).toEqual(PASSED)
    expect(await ask()).toEqual([
      401,
      'local.expireToken#1',
      { code: 'PGRST303', message: 'JWT expired', details: null, hint: null },
    ])
    expect((await ask('http://harbour.test/storage/v1/object/a')).slice(0, 2)).toEqual([
      400,
      'local.expireToken#2',
    ])
    expect(await ask(REST, 'second')).toEqual(PASSED)
  })

  test('of a revoked session get no new token and are rejected until the next sign-in', async () => {
    const { ask, faults, state } = scene()
    faults.set({ kind: 'revoke' })
    expect((await ask())[0]).toBe(401)
    expect(await ask(`${TOKEN}refresh_token`, 'key')).toEqual([
      400,
      'local.revoke#2',
      {
        code: 400,
        error_code: 'refresh_token_not_found',
        msg: 'Invalid Refresh Token: Refresh Token Not Found',
      },
    ])
    expect([await ask(`${TOKEN}password`, 'key'), state().faults, await ask()]).toEqual([PASSED, [], PASSED])
  })

  test("on a slow connection are late and report the fault in addition to the backend's faults", async () => {
    vi.useFakeTimers()
    const { ask, requests, faults } = scene()
    faults.set({ kind: 'slow', delay: 500 })
    const answer = ask()
    await vi.advanceTimersByTimeAsync(499)
    expect(requests).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await answer).toEqual([200, 'local.slow#1, squall#4', []])
  })
})

describe('sockets', () => {
  test('close on command: the app is notified once, and receives nothing afterwards', async () => {
    vi.useFakeTimers()
    const { faults, open } = scene()
    const { comes, received, line, socket } = open()
    expect(faults.killSockets()).toBe(1)
    await vi.advanceTimersByTimeAsync(0)
    comes('late')
    socket.dispatchEvent(new CloseEvent('close', { code: 1005 }))
    expect([received, line.closed, faults.killSockets()]).toEqual([['1006 fault local.kill#1'], 1, 0])
  })

  test('lose the given number of frames in both directions', () => {
    const { faults, open } = scene()
    const { comes, received, line, socket } = open()
    faults.set({ kind: 'dropFrames', way: 'both', times: 2 })
    socket.send('a')
    comes('b')
    socket.send('c')
    comes('d')
    expect([line.sent, received]).toEqual([['c'], ['d']])
  })

  test('keep the order of frames on a slow connection', async () => {
    vi.useFakeTimers()
    const { faults, open } = scene()
    const { comes, received, line, socket } = open()
    faults.set({ kind: 'slow', delay: 100, jitter: 400 })
    for (const frame of ['1', '2', '3']) {
      comes(frame)
      socket.send(frame)
    }
    expect([received, line.sent]).toEqual([[], []])
    await vi.advanceTimersByTimeAsync(500)
    expect([received, line.sent]).toEqual([
      ['1', '2', '3'],
      ['1', '2', '3'],
    ])
  })
})

test('offline: the page is notified, sockets close, new ones never open; back online', async () => {
  vi.useFakeTimers()
  const { ask, faults, open, world } = scene()
  const reported: string[] = []
  for (const type of ['online', 'offline'])
    world.page?.window?.addEventListener(type, () => reported.push(type))
  const before = open()
  faults.set({ kind: 'offline' })
  const after = open()
  await vi.advanceTimersByTimeAsync(0)
  expect([reported, world.page?.navigator?.onLine, before.received, after.received]).toEqual([
    ['offline'],
    false,
    ['1006 fault local.offline#1'],
    ['1006 fault local.offline#2'],
  ])
  expect(await ask()).toEqual(['Failed to fetch', 'local.offline#3'])
  faults.clear('offline')
  expect([reported, world.page?.navigator?.onLine]).toEqual([['offline', 'online'], true])
})

test('a full storage rejects writes; a clock offset changes only the time of day', () => {
  const { faults, kept, world } = scene()
  const [now, wall] = [world.clock.now(), world.clock.wall().getTime()]
  faults.set({ kind: 'storageFull' })
  faults.set({ kind: 'skewClock', by: -90_000 })
  expect(() => world.storage.setItem('a', '1')).toThrow('The storage is full (local.storageFull#1)')
  expect([world.clock.now() - now, world.clock.wall().getTime() - wall, kept.size]).toEqual([0, -90_000, 0])
  faults.clear()
  void world.storage.setItem('a', '1')
  expect([world.clock.wall().getTime() - wall, kept.get('a')]).toEqual([0, '1'])
})
