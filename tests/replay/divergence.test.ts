// A divergence names the transition then and now, and which of the changes in the machine is to blame.
import { createMachine, fromCallback } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import { expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import {
  describeDetours,
  describeDivergence,
  describeSilentChanges,
} from '../../src/services/replay/verify/divergence.ts'
import { verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'

const config = (change: (config: Config) => void = () => undefined): AnyStateMachine => {
  const fresh: Config = {
    id: 'door',
    initial: 'closed',
    states: {
      closed: {
        on: {
          open: [
            { guard: 'isLocked', target: 'closed' },
            { target: 'opened', actions: 'creak' },
          ],
          lock: 'locked',
        },
      },
      opened: { entry: 'greet', after: { 1000: 'closed' }, on: { close: 'closed' } },
      locked: { on: { unlock: 'closed' } },
    },
  }
  change(fresh)
  return createMachine(fresh as never, {
    guards: { isLocked: () => false, isTired: () => true },
    actions: { creak: () => undefined, greet: () => undefined },
  }) as unknown as AnyStateMachine
}

interface Config {
  id: string
  initial: string
  states: Record<string, { on?: Record<string, unknown>; after?: unknown; entry?: unknown; initial?: string }>
}

function golden(): ReplayableTrace {
  const clock = createVirtualClock()
  const recording = record(config(), { clock })
  recording.start()
  const send = (type: string) => recording.actor.send({ type })
  for (const type of ['lock', 'unlock', 'open', 'close', 'open']) send(type)
  clock.advance(1500)
  send('lock')
  recording.stop()
  return recording.trace
}

const trace = golden()

/** The reported change, starting from the transitions. */
function hintsFor(change: (config: Config) => void): readonly string[] {
  const report = verify(trace, { door: config(change) })
  if (report.outcome !== 'diverged')
    return [
      report.outcome,
      ...describeSilentChanges(report.changes ?? []),
      ...(report.detours ? describeDetours(report.detours) : []),
    ]
  const lines = describeDivergence(report.divergence)
  return lines.filter(line => /transition|likely|changed in|structure/.test(line)).map(line => line.trim())
}

test.each<[string, (config: Config) => void, readonly string[]]>([
  ['nothing', () => undefined, ['exact']],
  [
    'a target',
    ({ states }) => (states['locked'] = { on: { unlock: 'opened' } }),
    [
      'transition of door then: locked#0 unlock → closed',
      'transition of door now:  locked#0 unlock → opened',
      'most likely: door locked: targets of a transition: was locked#0 unlock → closed, is locked#0 unlock → opened',
    ],
  ],
  [
    'a removed transition, next to harmless changes',
    ({ states }) => {
      states['opened'] = {
        entry: 'greet',
        on: { close: 'closed', kick: 'locked' },
        after: { 1000: 'closed' },
      }
      states['locked'] = {}
    },
    [
      'transition of door then: locked#0 unlock → closed',
      'transition of door now:  none',
      'most likely: door locked: transition removed: locked#0 unlock → closed',
      'also changed in door opened: transition added: opened#1 kick → locked',
    ],
  ],
  [
    'a delay',
    ({ states }) => (states['opened'] = { ...states['opened'], after: { 900: 'closed' } }),
    [
      'transition of door then: opened#1 after 1000 → closed',
      'transition of door now:  opened#1 after 900 → closed',
      'most likely: door opened: delay of a transition: was opened#1 after 1000 → closed, is opened#1 after 900 → closed',
    ],
  ],
  [
    'an entry',
    ({ states }) => (states['opened'] = { ...states['opened'], entry: [] }),
    [
      'transition of door then: closed#1 open → opened / creak',
      'transition of door now:  closed#1 open → opened / creak',
      'most likely: door opened: entry: was ["greet"], is []',
    ],
  ],
  [
    'a guard',
    ({ states }) => (states['locked'] = { on: { unlock: { guard: 'isLocked', target: 'closed' } } }),
    [
      'transition of door then: locked#0 unlock → closed',
      'transition of door now:  none',
      'most likely: door locked: guard of a transition: was locked#0 unlock → closed, is locked#0 unlock [isLocked] → closed',
    ],
  ],
  [
    'the initial state',
    fresh => (fresh.initial = 'locked'),
    ['most likely: door: initial: was ["closed"], is ["locked"]'],
  ],
  [
    'a transition inserted before another, to the same target',
    ({ states }) =>
      (states['locked'] = { on: { unlock: [{ guard: 'isTired', target: 'closed' }, { target: 'closed' }] } }),
    [
      'exact',
      'changed without effect: door locked: transition added: locked#0 unlock [isTired] → closed',
      'one step has the same result by another transition',
      '  step 2: door took unlock then by locked#0 unlock → closed, and now by locked#0 unlock [isTired] → closed',
    ],
  ],
  [
    'an unreachable state',
    ({ states }) => (states['broken'] = {}),
    ['exact', 'changed without effect: door broken: state added: ["broken"]'],
  ],
])('of %s', (_what, change, expected) => {
  expect(hintsFor(change)).toEqual(expected)
})

test('of code behind a name: the guard, action or delay is named', () => {
  const machine = config()
  const door = machine.provide({ guards: { isLocked: () => true } })
  const report = verify(trace, { door })
  if (report.outcome !== 'diverged') throw new Error(report.outcome)
  expect(report.machines).toEqual([])
  expect(describeDivergence(report.divergence)).toEqual([
    'first difference at step 3',
    '  recorded: door took open → "opened"',
    '  replayed: door took open → "closed"',
    '  /value: "opened" → "closed"',
    '  /changed: true → false',
    '  /outputs: [{"kind":"action","name":"creak"},{"kind":"action","name":"greet"},{"kind":"t... → absent',
    '  transition of door then: closed#1 open → opened / creak',
    '  transition of door now:  closed#0 open [isLocked] → closed',
    '  the structure is unchanged; check the guard isLocked, the action creak, and the data they read',
    'because: #2 sent from outside to door → door took open',
  ])
})

test('of a missing step: the step that should have caused it is shown', () => {
  const parent = (invoke: object) =>
    createMachine({
      id: 'parent',
      initial: 'a',
      states: { a: { on: { go: 'b' } }, b: { ...invoke, on: { answered: 'c' } }, c: {} },
    })
  const ask = fromCallback(
    ({ sendBack }) => void Promise.resolve().then(() => sendBack({ type: 'answered' })),
  )
  const recording = record(parent({ invoke: { src: ask, id: 'ask' } }))
  recording.start()
  recording.actor.send({ type: 'go' })
  return expect
    .poll(() => recording.actor.getSnapshot().value)
    .toBe('c')
    .then(() => {
      const report = verify(recording.trace, { parent: parent({}) })
      if (report.outcome !== 'diverged') throw new Error(report.outcome)
      expect(describeDivergence(report.divergence).filter(line => line.includes('likely'))).toEqual([
        '  most likely: parent b: invoke: was ["ask: xstate.invoke.0.parent.b"], is []',
      ])
    })
})
