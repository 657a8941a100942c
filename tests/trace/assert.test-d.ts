// Types of assertions: what the functions take, and how a machine's types check its patterns.
import { expectTypeOf, test } from 'vitest'
import { setup } from 'xstate'
import {
  always,
  and,
  assertion,
  atMost,
  checkTrace,
  each,
  never,
  not,
  or,
  readAssertions,
  responds,
  stepsOf,
  type Assertion,
  type CheckReport,
  type Formula,
  type ObservedStep,
  type StepPattern,
} from '../../src/public/devtools/assertions.ts'
import type { ComposeSystem } from '../../src/public/devtools/recording.ts'
import { systems, type ReplayableTrace } from '../../src/public/devtools/replay.ts'
import { sessionMachine } from '../../src/machines/session/session.ts'

const lamp = setup({
  types: {
    context: {} as { watt: number; owner: { name: string } | undefined; tags: Record<string, string> },
    events: {} as { type: 'switch.on'; watt: number } | { type: 'switch.off' } | { type: 'break' },
  },
}).createMachine({
  id: 'lamp',
  context: { watt: 0, owner: undefined, tags: {} },
  initial: 'dark',
  states: { dark: {}, lit: { initial: 'dim', states: { dim: {}, bright: {} } } },
})

test('patterns of a machine know its states, events and context', () => {
  const steps = stepsOf(lamp)
  expectTypeOf(steps({ state: 'lit.dim' })).toEqualTypeOf<StepPattern>()
  steps({ entered: ['dark', '**.bright'], event: 'switch.*' })
  steps({ event: ['switch.on', 'xstate.init', '*'], context: { watt: { above: 3 }, 'owner.name': 'ann' } })
  steps({ context: { 'tags.anything': 'x' }, was: { state: 'dark' } })
  // @ts-expect-error there is no such state
  steps({ state: 'lid' })
  // @ts-expect-error nor one inside it
  steps({ state: 'lit.dimm' })
  // @ts-expect-error there is no such event
  steps({ event: 'switch.up' })
  // @ts-expect-error there is no such value in the context
  steps({ context: { watts: 3 } })
  // @ts-expect-error nor below it
  steps({ context: { 'owner.nme': 'ann' } })
  // @ts-expect-error the machine already sets `src`
  steps({ src: 'session' })
  // @ts-expect-error the previous state must be one of its states, too
  steps({ was: { state: 'lid' } })
  stepsOf(sessionMachine)({ entered: 'authenticated.token.expired', event: 'session.signOut' })
  // @ts-expect-error there is no such state in a session
  stepsOf(sessionMachine)({ entered: 'authenticated.tokn' })
})

test('formulas consist of patterns and formulas', () => {
  expectTypeOf(and(never({}), always({}))).toExtend<Formula>()
  expectTypeOf(not(never({}))).toExtend<Formula>()
  expectTypeOf(or({ state: 'a' }, { state: 'b' })).toExtend<StepPattern>()
  expectTypeOf(not({ state: 'a' })).toExtend<StepPattern>()
  never(step => {
    expectTypeOf(step).toEqualTypeOf<ObservedStep>()
    return step.event.type === 'a'
  })
  responds({}, {}, { within: ({ t }) => t, by: ['event.id', ({ event }) => event.type] })
  each(({ actor }) => actor.path, atMost(1, { life: { src: 'a' } }))
  // @ts-expect-error a life has an actor and no events
  atMost(1, { life: { event: 'a' } })
  // @ts-expect-error there is no such part of a pattern
  never({ sttae: 'a' })
  // @ts-expect-error not a duration
  responds({}, {}, { within: { days: 3 } })
  // @ts-expect-error numbers are compared with numbers
  never({ context: { n: { above: 'a' } } })
})

test('the results for a trace', () => {
  const check = (trace: ReplayableTrace, assertions: readonly Assertion[]) => checkTrace(trace, assertions)
  expectTypeOf(check).returns.toEqualTypeOf<CheckReport>()
  expectTypeOf<CheckReport['outcome']>().toEqualTypeOf<'holds' | 'pending' | 'fails'>()
  expectTypeOf(assertion('a', never({}))).toEqualTypeOf<Assertion>()
  expectTypeOf(assertion('a', () => never({}), 'As text.')).toEqualTypeOf<Assertion>()
  const read = readAssertions([])
  if (read.kind === 'assertions') expectTypeOf(read.assertions).toEqualTypeOf<readonly Assertion[]>()
  else expectTypeOf(read.problems[0]?.at).toEqualTypeOf<string | undefined>()
})

test('the systems of this build by name', () => {
  expectTypeOf(systems['chartroom/session']).toEqualTypeOf<ComposeSystem>()
  // @ts-expect-error not a system of this build
  expectTypeOf(systems['shop'])
})
