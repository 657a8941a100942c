// An actor can fail after its end: actions of its final state may throw after its last snapshot.
import { expect, test } from 'vitest'
import { createMachine, setup } from 'xstate'
import { record } from '../../src/public/devtools/recording.ts'
import { verify } from '../../src/public/devtools/replay.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const child = createMachine({
  id: 'child',
  initial: 'end',
  states: { end: { type: 'final', entry: () => fail() } },
})

function fail(): never {
  throw new Error('an action failed')
}

const parent = setup({ actors: { child } }).createMachine({
  id: 'parent',
  initial: 'idle',
  states: {
    idle: { on: { go: 'working' } },
    working: { invoke: { id: 'child', src: 'child', onError: {} }, on: { again: 'idle' } },
  },
})

test('the failure is shown once, and replays exactly', () => {
  const { actor, trace } = record(parent, { clock: createVirtualClock() })
  actor.start()
  actor.send({ type: 'go' })
  actor.send({ type: 'again' })
  expect(verify(trace, { parent }).outcome).toBe('exact')
  expect(
    trace.steps.map(({ actor: at, event, status }) => [trace.actors[at]?.path, event.type, status]),
  ).toEqual([
    ['parent', 'xstate.init', 'active'],
    ['parent', 'go', 'active'],
    ['parent/child', 'xstate.init', 'done'],
    ['parent', 'xstate.error.actor.child', 'active'],
    ['parent', 'again', 'active'],
  ])
})
