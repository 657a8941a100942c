// Faults on sockets at the wire level: effects on frames, and how sockets close or fail to open.
import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { signedIn, startOwnBackend } from '../../harness/backend.ts'
import { faultScene } from '../../harness/faults.ts'

const backend = await startOwnBackend()
const { given, story } = faultScene(backend)
const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${backend.publishableKey}&vsn=2.0.0`

/** A version 2.0.0 socket that records received frames as `topic event ref`. */
async function open() {
  const socket = new WebSocket(address)
  const received: string[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return received.push('binary')
    try {
      const [, ref, topic, event] = JSON.parse(data.toString()) as (string | null)[]
      received.push([topic, event, ref].filter(word => word !== null).join(' '))
    } catch {
      received.push(`unreadable ${data.length}`)
    }
    return undefined
  })
  const ended = new Promise<[number, string]>(resolve =>
    socket.on('close', (code, reason) => resolve([code, reason.toString()])),
  )
  await once(socket, 'open')
  const send = (ref: string, topic: string, event: string, payload: unknown = {}) =>
    socket.send(JSON.stringify([topic === 'phoenix' ? null : '1', ref, topic, event, payload]))
  return { socket, received, ended, send, beat: (ref: string) => send(ref, 'phoenix', 'heartbeat') }
}

const join = { config: { broadcast: { self: true, ack: true }, presence: { key: '' }, private: false } }
const BRIDGE = 'realtime:bridge'

async function joined() {
  const one = await open()
  one.send('1', BRIDGE, 'phx_join', join)
  await vi.waitFor(() => expect(one.received).toContain(`${BRIDGE} phx_reply 1`))
  one.received.length = 0
  return one
}

const hail = (one: Awaited<ReturnType<typeof open>>, ref: string) =>
  one.send(ref, BRIDGE, 'broadcast', { type: 'broadcast', event: 'hail', payload: { ref } })
/** The responses to broadcasts, in order. */
const acks = (received: readonly string[]) =>
  received
    .filter(line => line.includes('phx_reply') && line.startsWith(BRIDGE))
    .map(line => line.split(' ').at(-1))

describe('incoming frames', () => {
  test('are dropped and reported by topic, event and ref', async () => {
    const one = await joined()
    given({
      id: 'lost',
      when: { event: 'frame.in', topic: 'bridge', phoenix: 'broadcast', nth: 2 },
      do: { drop: true },
    })
    for (const ref of ['2', '3', '4']) hail(one, ref)
    await vi.waitFor(() => expect(acks(one.received)).toEqual(['2', '4']))
    expect(backend.faults.hits().at(-1)).toMatchObject({
      fault: 'lost',
      n: 1,
      family: 'realtime',
      event: 'frame.in',
      topic: BRIDGE,
      phoenix: 'broadcast',
      ref: '3',
    })
    one.socket.close()
  })

  test('are delayed in order', async () => {
    const one = await joined()
    given({ when: { event: 'frame.in', phoenix: 'broadcast', nth: 1 }, do: { delay: 80 } })
    for (const ref of ['2', '3', '4']) hail(one, ref)
    await vi.waitFor(() => expect(acks(one.received)).toEqual(['2', '3', '4']))
    one.socket.close()
  })

  test('are duplicated or reordered', async () => {
    const one = await joined()
    given({ when: { event: 'frame.in', phoenix: 'broadcast', nth: 1 }, do: { duplicate: 1 } })
    hail(one, '2')
    await vi.waitFor(() => expect(acks(one.received)).toEqual(['2', '2']))
    backend.faults.clear()
    given({ when: { event: 'frame.in', phoenix: 'broadcast', nth: 1 }, do: { reorder: true } })
    for (const ref of ['3', '4', '5']) hail(one, ref)
    await vi.waitFor(() => expect(acks(one.received)).toEqual(['2', '2', '4', '3', '5']))
    one.socket.close()
  })

  test('that should be reordered are delivered alone if there is no next one', async () => {
    const one = await joined()
    given({ when: { event: 'frame.in', phoenix: 'broadcast' }, do: { reorder: true }, times: 1 })
    hail(one, '2')
    await vi.waitFor(() => expect(acks(one.received)).toEqual(['2']))
    one.socket.close()
  })

  test('are damaged so that the server can’t parse them', async () => {
    const one = await joined()
    given({ when: { event: 'frame.in' }, do: { garble: true }, times: 1 })
    for (const ref of ['2', '3']) hail(one, ref)
    await vi.waitFor(() => expect(acks(one.received)).toEqual(['3']))
    one.socket.close()
  })

  test('with an expired token: the server refuses the join as usual', async () => {
    const skipper = await signedIn(backend, 'skipper')
    const access_token = (await skipper.auth.getSession()).data.session?.access_token
    given({
      id: 'tide',
      when: { event: 'frame.in', phoenix: 'phx_join', user: 'skipper@harbour.test' },
      do: { token: 'expired' },
    })
    const one = await open()
    const answers: string[] = []
    one.socket.on('message', (data: Buffer) => answers.push(data.toString()))
    one.send('1', BRIDGE, 'phx_join', { ...join, access_token })
    await vi.waitFor(() => expect(answers.join()).toMatch(/expired/i))
    expect(story()).toEqual([`tide#1 frame.in ${BRIDGE} phx_join`])
    one.socket.close()
  })
})

describe('outgoing frames', () => {
  test('are truncated or damaged, one at a time', async () => {
    const one = await joined()
    given(
      { when: { event: 'frame.out', topic: 'bridge', phoenix: 'phx_reply', nth: 1 }, do: { truncate: 9 } },
      { when: { event: 'frame.out', topic: 'bridge', phoenix: 'phx_reply', nth: 2 }, do: { garble: true } },
    )
    for (const ref of ['2', '3', '4']) hail(one, ref)
    await vi.waitFor(() => expect(acks(one.received)).toEqual(['4']))
    const unreadable = one.received.filter(line => line.startsWith('unreadable'))
    expect(unreadable).toEqual(['unreadable 9', expect.stringMatching(/^unreadable \d\d/)])
    one.socket.close()
  })

  test('are dropped for a single topic', async () => {
    const one = await joined()
    one.send('2', 'realtime:harbour', 'phx_join', join)
    await vi.waitFor(() => expect(one.received).toContain('realtime:harbour phx_reply 2'))
    given({ when: { event: 'frame.out', topic: 'harbour' }, do: { drop: true } })
    one.send('3', 'realtime:harbour', 'broadcast', { type: 'broadcast', event: 'hail', payload: {} })
    hail(one, '4')
    await vi.waitFor(() => expect(acks(one.received)).toEqual(['4']))
    expect(one.received.filter(line => line.startsWith('realtime:harbour') && line.endsWith(' 3'))).toEqual(
      [],
    )
    one.socket.close()
  })
})

test('heartbeats are dropped and counted separately', async () => {
  const one = await joined()
  given(
    { id: 'deaf', when: { event: 'heartbeat', from: 2 }, do: { drop: true } },
    { id: 'frames', when: { event: 'frame.in', nth: 1 }, do: { delay: 1 } },
  )
  for (const ref of ['2', '3', '4']) one.beat(ref)
  hail(one, '5')
  await vi.waitFor(() => expect(acks(one.received)).toEqual(['5']))
  expect(one.received.filter(line => line.startsWith('phoenix'))).toEqual(['phoenix phx_reply 2'])
  expect(story()).toEqual([
    'deaf#1 heartbeat phoenix heartbeat',
    'deaf#2 heartbeat phoenix heartbeat',
    `frames#1 frame.in ${BRIDGE} broadcast`,
  ])
  one.socket.close()
})

describe('a socket is closed', () => {
  test.each([
    [{ code: 4000, reason: 'squall' }, [4000, 'squall']],
    [1012, [1012, '']],
    [1005, [1005, '']],
    [1006, [1006, '']],
    ['abrupt' as const, [1006, '']],
  ])('with %j, while it is open', async (close, expected) => {
    const one = await joined()
    given({ when: { event: 'open' }, do: { close } })
    expect(await one.ended).toEqual(expected)
  })

  test('when it opens, after a delay, or at a frame', async () => {
    given({ when: { event: 'open' }, do: { close: 1013, delay: 20 } })
    expect((await (await open()).ended)[0]).toBe(1013)
    backend.faults.clear()
    const one = await joined()
    given({ when: { event: 'frame.in', phoenix: 'broadcast' }, do: { close: 4001 } })
    hail(one, '2')
    expect((await one.ended)[0]).toBe(4001)
  })
})

describe('an upgrade', () => {
  const upgrade = () =>
    new Promise<unknown>(resolve => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      }
      const call = request(address.replace('ws', 'http'), { headers })
      call.on('upgrade', (_answer, socket) => {
        socket.destroy()
        resolve('opened')
      })
      call.on('response', answer => {
        answer.resume()
        resolve([answer.statusCode, answer.headers['x-chartroom-fault'], answer.headers['retry-after']])
      })
      call.on('error', error => resolve(Reflect.get(error, 'code')))
      call.end()
    })

  test('is refused with a status, then dropped, then delayed', async () => {
    given(
      {
        id: 'busy',
        when: { event: 'upgrade' },
        do: { code: 'over_request_rate_limit', retryAfter: 3 },
        times: 1,
      },
      { id: 'lost', when: { event: 'upgrade', nth: 2 }, do: { lost: 'request' } },
      { id: 'late', when: { event: 'upgrade', nth: 3 }, do: { delay: 30 } },
    )
    expect(await upgrade()).toEqual([429, 'busy#1', '3'])
    expect(await upgrade()).toBe('ECONNRESET')
    expect(await upgrade()).toBe('opened')
    expect(story()).toEqual(['busy#1 upgrade', 'lost#1 upgrade', 'late#1 upgrade'])
  })

  test('is held until it is released or refused', async () => {
    given({ when: { event: 'upgrade' }, do: { hold: 'request' } })
    const calls = [upgrade(), upgrade()]
    await vi.waitFor(() => expect(backend.faults.heldRequests()).toHaveLength(2))
    const [first, second] = backend.faults.heldRequests().map(({ id }) => id)
    backend.faults.release(second ?? '', { status: 403 })
    backend.faults.release(first ?? '')
    // The order of the two is not defined.
    const answers = await Promise.all(calls)
    expect(
      answers.includes('opened') && answers.some(answer => Array.isArray(answer) && answer[0] === 403),
    ).toBe(true)
  })
})
