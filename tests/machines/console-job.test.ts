// A job of the console: it runs, is stopped or canceled, and is replaced by the next one.
import { expect, test } from 'vitest'
import { createActor, fromCallback, type NonReducibleUnknown } from 'xstate'
import {
  consoleJobMachine,
  type ConsoleJobEvent,
  type RunJobEvent,
  type StopJob,
} from '../../src/machines/console/console-job.ts'

function start() {
  const journal: string[] = []
  let report: (event: RunJobEvent) => void = () => expect.unreachable()
  const runJob = fromCallback<StopJob, NonReducibleUnknown, RunJobEvent>(({ sendBack, receive }) => {
    journal.push('runs')
    report = sendBack
    receive(({ type }) => journal.push(type))
    return () => void journal.push('ends')
  })
  const actor = createActor(consoleJobMachine.provide({ actors: { runJob } })).start()
  return {
    journal,
    send: (type: Exclude<ConsoleJobEvent['type'], RunJobEvent['type']>) => actor.send({ type }),
    report: (event: RunJobEvent) => report(event),
    value: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

test('it can be stopped once, and ends with its result', () => {
  const { journal, send, report, value } = start()
  send('job.requested')
  send('job.stop')
  send('job.stop')
  expect([value(), journal]).toEqual([{ running: 'stopping' }, ['runs', 'stop']])
  report({ type: 'job.finished' })
  expect([value(), journal]).toEqual(['done', ['runs', 'stop', 'ends']])
})

test('the next one replaces it, with its own progress', () => {
  const { journal, send, report, value, context } = start()
  send('job.requested')
  report({ type: 'job.progressed', progress: { share: 0.5 } })
  expect(context().progress).toEqual({ share: 0.5 })
  send('job.requested')
  expect([value(), context().progress, journal]).toEqual([
    { running: 'working' },
    {},
    ['runs', 'ends', 'runs'],
  ])
})

test('it is canceled, or fails with a message, and can run again', () => {
  const { send, report, value, context } = start()
  send('job.requested')
  send('job.canceled')
  expect(value()).toBe('canceled')
  send('job.requested')
  report({ type: 'job.failed', message: 'No worker.' })
  expect([value(), context().message]).toEqual(['failed', 'No worker.'])
  send('job.requested')
  expect(value()).toEqual({ running: 'working' })
})
