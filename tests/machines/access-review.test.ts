// An access review: steps one after the other, retries of temporary failures, and a review that is continued.
import { createActor, fromCallback, type EventObject } from 'xstate'
import { expect, test } from 'vitest'
import type { Failure } from '../../src/machines/index.ts'
import { accessReviewMachine, type StepEvent } from '../../src/machines/workbench/access-review.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const passing: Failure = { kind: 'network', message: 'No answer.' }
const forbidden: Failure = { kind: 'forbidden', status: 403, message: 'Permission denied.' }

/** @param step returns the result of the step with this number, which counts repeated ones */
function start(step: (number: number) => StepEvent | undefined) {
  let count = 0
  const reviewStep = fromCallback<EventObject, { readonly attempt: number }, StepEvent>(({ sendBack }) => {
    const event = step((count += 1))
    if (event) sendBack(event)
  })
  const clock = createVirtualClock()
  const machine = accessReviewMachine.provide({ actors: { reviewStep } })
  const actor = createActor(machine, { clock, input: { seed: 1 } })
  actor.start()
  const facts = () => {
    const { value, context } = actor.getSnapshot()
    return [value, context.done, context.total]
  }
  return { actor, clock, facts, count: () => count }
}

const done = (at: number, total = 3): StepEvent => ({ type: 'step.done', done: at, total })

test('steps follow each other until the last', () => {
  const run = start(number => done(number))
  expect([run.facts(), run.count()]).toEqual([['done', 3, 3], 3])
})

test('a backend without anything to review ends with its description', () => {
  expect(start(() => done(0, 0)).facts()).toEqual(['done', 0, 0])
})

test('a step with a temporary failure is repeated after a pause', () => {
  const run = start(number =>
    number === 2 ? { type: 'step.failed', failure: passing } : done(Math.max(1, number - 1)),
  )
  expect(run.facts()).toEqual(['backingOff', 1, 3])
  run.clock.advance(60_000)
  expect([run.facts(), run.count()]).toEqual([['done', 3, 3], 4])
})

test('a step that keeps failing ends the review, which can be continued', () => {
  let isDown = true
  const run = start(number => {
    if (number === 1) return done(1)
    return isDown ? { type: 'step.failed', failure: passing } : done(number)
  })
  run.clock.advance(600_000)
  expect([run.facts(), run.count()]).toEqual([['failed', 1, 3], 6])
  expect(run.actor.getSnapshot().context.failure).toEqual(passing)
  isDown = false
  run.actor.send({ type: 'review.retry' })
  expect(run.facts()[0]).toBe('done')
  expect(run.actor.getSnapshot().context.failure).toBeUndefined()
})

test('a final failure is not repeated', () => {
  const run = start(() => ({ type: 'step.failed', failure: forbidden }))
  expect([run.facts(), run.count()]).toEqual([['failed', 0, undefined], 1])
})

test('cancel ends the review', () => {
  const run = start(number => (number === 1 ? done(1) : undefined))
  run.actor.send({ type: 'review.cancel' })
  expect(run.facts()).toEqual(['canceled', 1, 3])
})
