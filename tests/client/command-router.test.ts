// Command routing to channels: past the client in both directions, across leave and rejoin, and recorded.
import { expect, test } from 'vitest'
import { systems, verify } from '../../src/public/devtools/replay.ts'
import { recordedClient } from '../harness/recorded-run.ts'

const join = { type: 'channel.join', topic: 'bridge', options: {} } as const
const leave = { type: 'channel.leave', topic: 'bridge' } as const
const hail = (id: string) =>
  ({
    type: 'channel.command',
    topic: 'bridge',
    command: { type: 'broadcast.send', id, event: 'hail', payload: {} },
  }) as const
const settled = (id: string) => ({
  type: 'channel.settled',
  topic: 'bridge',
  settled: { type: 'push.settled', id },
})

test('a command goes to the channel, which reports its end once, and the client machine sees neither', () => {
  const { clock, recorder, received, send } = recordedClient()
  clock.advance(5)
  send(join)
  send({ ...join, use: 'another' })
  clock.advance(50)
  send(hail('a'))
  clock.advance(50)
  send({ ...leave, use: 'another' })
  send(leave)
  send(hail('lost'))
  send(join)
  clock.advance(50)
  send(hail('b'))
  clock.advance(50)
  recorder.stop()
  const { trace } = recorder
  const isAboutChannel = ({ type }: { type?: unknown }) =>
    /^(channel\.(command|settled)|broadcast\.)/.test(String(type))
  const sent = trace.stimuli.filter(
    ({ kind, event }) => kind === 'external' && isAboutChannel(event as object),
  )
  expect({
    heard: received,
    sentTo: sent.map(({ to }) => trace.actors[to]?.path),
    ofClient: trace.steps.filter(
      step =>
        'event' in step &&
        isAboutChannel(step.event as object) &&
        trace.actors[step.actor]?.path === 'client',
    ),
    replayed: verify(trace, systems).outcome,
  }).toEqual({
    heard: [settled('a'), settled('b')],
    sentTo: ['client/realtime/channel.bridge', 'client/realtime/channel.bridge#2'],
    ofClient: [],
    replayed: 'exact',
  })
})

test('a join and a send from within a step are delivered', () => {
  const { clock, recorder, received, send } = recordedClient()
  clock.advance(5)
  recorder.between(() => {
    recorder.actor.subscribe(({ context }) => {
      if (context.hasRealtime) return
      send(join)
      send(hail('early'))
    })
  })
  send({ type: 'session.signIn', attempt: 'a1' })
  clock.advance(100)
  expect(received).toContainEqual({
    ...settled('early'),
    settled: { type: 'push.settled', id: 'early', reason: 'the channel is not joined', isUnsent: true },
  })
})
