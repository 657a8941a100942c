// The check of a trace in the console: when it starts automatically, when it asks, and how its job ends.
import { expect, test } from 'vitest'
import { createActor, fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import {
  type CheckJobEvent,
  type ReadEvent,
  type TraceCheckEvent,
  traceCheckMachine,
  type WatchEvent,
} from '../../src/machines/console/trace-check.ts'

function start(from: 'none' | 'memory' | 'file') {
  const journal: string[] = []
  let say: (event: TraceCheckEvent) => void = () => expect.unreachable()
  const port = <Sends extends TraceCheckEvent>(name: string) =>
    fromCallback<EventObject, NonReducibleUnknown, Sends>(({ sendBack }) => {
      journal.push(name)
      say = event => sendBack(event as Sends)
      return () => void journal.push(`ends ${name}`)
    })
  const machine = traceCheckMachine.provide({
    actors: {
      watchTrace: port<WatchEvent>('watch'),
      readTrace: port<ReadEvent>('read'),
      runCheck: port<CheckJobEvent>('check'),
    },
  })
  const actor = createActor(machine, { input: { from } }).start()
  return {
    journal,
    send: (type: 'check.requested' | 'check.canceled') => actor.send({ type }),
    say: (event: TraceCheckEvent) => say(event),
    value: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
    stop: () => actor.stop(),
  }
}

test('without checks it is done', () => {
  const { value, journal } = start('none')
  expect([value(), journal]).toEqual(['done', []])
})

test('a trace in memory is watched until the check is stopped', () => {
  const { value, say, stop, journal } = start('memory')
  expect(value()).toEqual({ growing: 'starting' })
  say({ type: 'trace.watched' })
  expect(value()).toEqual({ growing: 'watching' })
  stop()
  expect(journal).toEqual(['watch', 'ends watch'])
})

test('a file is checked once it is read', () => {
  const { value, context, say, journal } = start('file')
  say({ type: 'trace.read', reason: undefined })
  expect(value()).toBe('checking')
  say({ type: 'job.progressed', progress: { share: 0.5 } })
  expect(context().progress).toEqual({ share: 0.5 })
  say({ type: 'job.finished' })
  expect([value(), journal]).toEqual(['done', ['read', 'ends read', 'check', 'ends check']])
})

test('a long check waits for the user, also after it was canceled', () => {
  const { value, context, say, send, journal } = start('file')
  say({ type: 'trace.read', reason: 'It is long.' })
  expect([value(), context().reason]).toEqual(['asking', 'It is long.'])
  send('check.requested')
  say({ type: 'job.progressed', progress: { share: 0.5 } })
  send('check.canceled')
  expect([value(), context().reason]).toEqual(['asking', 'Canceled.'])
  send('check.requested')
  expect([value(), context().progress]).toEqual(['checking', {}])
  expect(journal.slice(2)).toEqual(['check', 'ends check', 'check'])
})

test.each(['memory', 'file'] as const)('an error from %s ends it with its message', from => {
  const { value, context, say } = start(from)
  say({ type: 'check.failed', message: 'The file is gone.' })
  expect([value(), context().message]).toEqual(['failed', 'The file is gone.'])
})
