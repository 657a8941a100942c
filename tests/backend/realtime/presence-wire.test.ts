// Presence at the frame level: who receives what, and frames that are not presence.
import { expect, test } from 'vitest'
import { startTestBackend } from '../../harness/backend.ts'
import { closing, joinTopic, openSocket, QUIET, replyTo, systemSays } from '../../harness/wire-socket.ts'

const clock = { at: Date.now(), now: () => clock.at }
const backend = await startTestBackend({
  clock,
  realtime: { maxPayloadSizeInKb: 1, maxPresenceEventsPerSecond: 3, maxEventsPerSecond: 10_000 },
})

async function enter(topic: string, key: string, enabled = true) {
  const wire = await openSocket(backend)
  await joinTopic(wire, topic, { presence: { key, enabled } })
  if (enabled) await wire.received(1)
  const state = wire.frames.splice(0)[0]
  let ref = 1
  const present = (event: unknown, payload?: unknown) => {
    ref += 1
    wire.send(['1', String(ref), `realtime:${topic}`, 'presence', { type: 'presence', event, payload }])
  }
  return { ...wire, state, present }
}

const PHX_REF = expect.stringMatching(/^[\w-]{8,}$/)
const diff = (topic: string, joins: object, leaves: object = {}) => [
  null,
  null,
  `realtime:${topic}`,
  'presence_diff',
  { joins, leaves },
]

test('all members of the topic receive a diff, new members the state', async () => {
  const mate = await enter('watch', 'mate')
  expect(mate.state).toEqual(['1', null, 'realtime:watch', 'presence_state', {}])
  mate.present('track', { duty: 'helm' })
  const helm = { duty: 'helm', phx_ref: PHX_REF }
  expect(await mate.received(2)).toEqual([
    diff('watch', { mate: { metas: [helm] } }),
    replyTo('2', 'watch', 'ok', {}),
  ])
  const skipper = await enter('watch', 'skipper')
  const state = { mate: { metas: [helm] } }
  expect(skipper.state).toEqual(['1', null, 'realtime:watch', 'presence_state', state])

  mate.present('TRACK', { duty: 'rest' })
  const rest = { duty: 'rest', phx_ref: PHX_REF, phx_ref_prev: PHX_REF }
  const changed = diff('watch', { mate: { metas: [rest] } }, { mate: { metas: [helm] } })
  expect(await skipper.received(1)).toEqual([changed])
  mate.socket.close()
  expect((await skipper.received(2))[1]).toEqual(diff('watch', {}, { mate: { metas: [rest] } }))
})

test('two members with one key are listed side by side', async () => {
  const [one, two] = [await enter('pair', 'mate'), await enter('pair', 'mate')]
  one.present('track', { at: 1 })
  await two.received(1)
  two.present('track', { at: 2 })
  await two.received(3)
  const third = await enter('pair', 'third')
  const metas = [1, 2].map(at => ({ at, phx_ref: PHX_REF }))
  expect(third.state).toEqual(['1', null, 'realtime:pair', 'presence_state', { mate: { metas } }])
})

test('tracking the same state again emits no event, nor does untracking nothing', async () => {
  const wire = await enter('same', 'mate')
  wire.present('untrack')
  wire.present('track', { a: 1 })
  wire.present('track', { a: 1 })
  wire.present('untrack')
  const metas = [{ a: 1, phx_ref: PHX_REF }]
  expect(await wire.received(6)).toEqual([
    replyTo('2', 'same', 'ok', {}),
    diff('same', { mate: { metas } }),
    replyTo('3', 'same', 'ok', {}),
    replyTo('4', 'same', 'ok', {}),
    diff('same', {}, { mate: { metas } }),
    replyTo('5', 'same', 'ok', {}),
  ])
})

test('a channel without presence gets no state, but may be present', async () => {
  const wire = await enter('off', 'mate', false)
  expect(wire.state).toBeUndefined()
  wire.present('track', {})
  const metas = [{ phx_ref: PHX_REF }]
  expect(await wire.received(2)).toEqual([diff('off', { mate: { metas } }), replyTo('2', 'off', 'ok', {})])
})

test.each([
  ['an unknown event', 'dance', {}, replyTo('2', 'odd', 'error', {})],
  [
    'a payload that is not an object',
    'track',
    [1],
    replyTo('2', 'odd', 'error', { reason: 'Presence track payload must be a map' }),
  ],
  ['no event', undefined, {}, replyTo('2', 'odd', 'ok', {})],
  ['no payload', 'track', undefined, diff('odd', { mate: { metas: [{ phx_ref: PHX_REF }] } })],
])('%s', async (_name, event, payload, answer) => {
  const wire = await enter('odd', 'mate')
  wire.present(event, payload)
  await expect.poll(() => wire.frames[0]).toEqual(answer)
})

test('a payload that is too large closes the channel', async () => {
  const wire = await enter('large', 'mate')
  wire.present('track', { note: 'x'.repeat(1_500) })
  const words = systemSays('large', 'error', 'Track message size exceeded')
  expect(await wire.received(2)).toEqual([words, closing('large')])
})

test('a channel may send five presence messages in half a minute', async () => {
  const wire = await enter('eager', 'mate')
  for (let time = 0; time < 5; time += 1) wire.present('untrack')
  await wire.received(5)
  clock.at += 30_001
  wire.frames.length = 0
  for (let time = 0; time < 6; time += 1) wire.present('untrack')
  expect((await wire.received(7)).slice(5)).toEqual([
    systemSays('eager', 'error', 'Client presence rate limit exceeded'),
    closing('eager'),
  ])
})

test('too much presence for the server closes channels that track or join, until the rate drops', async () => {
  const talkers = await Promise.all(Array.from({ length: 12 }, (_, at) => enter('crowd', `${at}`)))
  for (const talker of talkers) talker.present('track', { a: 1 })
  for (const talker of talkers) await talker.received(talkers.length + 1)
  clock.at += 5_000
  const wire = await openSocket(backend)
  await joinTopic(wire, 'crowd', { presence: { key: 'late', enabled: true } })
  const words = systemSays('crowd', 'error', 'Too many presence messages per second')
  expect(await wire.received(2)).toEqual([words, closing('crowd')])
  clock.at += 60_000
  expect((await enter('later', 'late')).state).toEqual(['1', null, 'realtime:later', 'presence_state', {}])
  await joinTopic(wire, 'quiet', QUIET)
})
