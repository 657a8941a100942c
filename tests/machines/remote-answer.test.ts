// The wait for an answer of the other end: how it ends.
import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { remoteAnswerMachine } from '../../src/machines/console/remote-answer.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

function start(limit?: number) {
  const clock = createVirtualClock()
  const actor = createActor(remoteAnswerMachine, { clock, input: { limit } }).start()
  return { clock, actor, value: () => actor.getSnapshot().value }
}

test.each([
  ['answer.arrived', 'arrived'],
  ['answer.lost', 'lost'],
] as const)('%s ends it, with and without a limit', (type, expected) => {
  for (const limit of [5_000, undefined]) {
    const { clock, actor, value } = start(limit)
    clock.advance(4_999)
    actor.send({ type })
    expect([value(), actor.getSnapshot().status, clock.pending()]).toEqual([expected, 'done', 0])
  }
})

test('its limit ends it', () => {
  const { clock, value } = start(5_000)
  clock.advance(4_999)
  expect(value()).toEqual({ waiting: 'limited' })
  clock.advance(1)
  expect(value()).toBe('late')
})

test('without a limit it waits, and sets no timer', () => {
  const { clock, value } = start()
  expect(clock.pending()).toBe(0)
  clock.advance(1_000_000_000)
  expect(value()).toEqual({ waiting: 'unlimited' })
})
