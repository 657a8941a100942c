// A run of a SQL script: ended, refused, canceled, and settled after the connection was lost.
import { type EventObject, createActor, fromCallback } from 'xstate'
import { expect, test } from 'vitest'
import type { Failure } from '../../src/machines/index.ts'
import { type OutcomeEvent, type ScriptEvent, sqlRunMachine } from '../../src/machines/workbench/sql-run.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const lost: Failure = { kind: 'network', message: 'The backend does not respond.' }
const forgotten: Failure = { kind: 'notFound', status: 404, message: 'No such script has run here' }
const busy: Failure = { kind: 'server', status: 503, message: 'The backend is starting' }

interface Backend {
  /** What the script's request brings; undefined while it runs. */
  readonly script?: ScriptEvent
  /** What the question number n brings. */
  readonly outcome?: (n: number) => OutcomeEvent | undefined
}

function start({ script, outcome }: Backend) {
  let [questions, closed] = [0, false]
  const runScript = fromCallback<EventObject, unknown, ScriptEvent>(({ sendBack }) => {
    if (script) sendBack(script)
    return () => (closed = true)
  })
  const settleScript = fromCallback<EventObject, unknown, OutcomeEvent>(({ sendBack }) => {
    const event = outcome?.((questions += 1))
    if (event) sendBack(event)
  })
  const clock = createVirtualClock()
  const machine = sqlRunMachine.provide({ actors: { runScript, settleScript } })
  const actor = createActor(machine, { clock, input: { mode: 'run', limit: 30_000, seed: 1 } })
  actor.start()
  const facts = () => {
    const { value, context } = actor.getSnapshot()
    return [value, context.end, context.isCanceled]
  }
  return { actor, clock, facts, questions: () => questions, isClosed: () => closed }
}

test('a script ends as the backend says', () => {
  expect(start({ script: { type: 'script.ended', end: 'timedOut', statements: 3 } }).facts()).toEqual([
    'ended',
    'timedOut',
    false,
  ])
})

test('a refused script did not run, and nothing is asked', () => {
  const run = start({ script: { type: 'script.failed', failure: busy } })
  expect([run.facts(), run.questions()]).toEqual([['refused', undefined, false], 0])
})

test('canceling closes the connection, and then asks for the outcome', () => {
  const run = start({ outcome: () => ({ type: 'script.ended', end: 'canceled', statements: 1 }) })
  run.actor.send({ type: 'script.cancel' })
  expect([run.facts(), run.isClosed()]).toEqual([['ended', 'canceled', true], true])
})

test('a lost connection is settled once the backend responds again', () => {
  const run = start({
    script: { type: 'script.failed', failure: lost },
    outcome: n =>
      n < 4
        ? { type: 'outcome.failed', failure: lost }
        : { type: 'script.ended', end: 'done', statements: 2 },
  })
  expect(run.facts()[0]).toBe('backingOff')
  run.clock.advance(120_000)
  expect([run.facts(), run.questions()]).toEqual([['ended', 'done', false], 4])
})

test('asking at once does not wait for the pause', () => {
  const run = start({
    script: { type: 'script.failed', failure: lost },
    outcome: n =>
      n < 2
        ? { type: 'outcome.failed', failure: lost }
        : { type: 'script.ended', end: 'canceled', statements: 0 },
  })
  run.actor.send({ type: 'outcome.retry' })
  expect(run.facts()).toEqual(['ended', 'canceled', false])
})

test('a backend that does not know the script leaves its end open', () => {
  const run = start({ outcome: () => ({ type: 'outcome.failed', failure: forgotten }) })
  run.actor.send({ type: 'script.cancel' })
  expect([run.facts()[0], run.actor.getSnapshot().context.failure]).toEqual(['lost', forgotten])
})

test('the user can stop waiting', () => {
  const run = start({})
  run.actor.send({ type: 'script.cancel' })
  run.actor.send({ type: 'outcome.giveUp' })
  expect(run.facts()).toEqual(['lost', undefined, true])
})
