// Types of `@chartroom/devtools/console` for other apps: an attached system keeps its own types, and the console
// accepts it.
import { expectTypeOf, test } from 'vitest'
import { assign, setup, type ActorRefFrom } from 'xstate'
import { attach, type ChartroomConsole, createStatelyBridge } from '../../src/public/devtools/console.ts'
import type { ControlHandle } from '../../src/public/devtools/control.ts'
import type { ClientRecording } from '../../src/public/index.ts'
import { record } from '../../src/public/devtools/recording.ts'

const lamp = setup({
  types: { context: {} as { hours: number }, events: {} as { type: 'lamp.switch'; hours: number } },
}).createMachine({
  id: 'lamp',
  context: { hours: 0 },
  on: { 'lamp.switch': { actions: assign({ hours: ({ event }) => event.hours }) } },
})
const { actor, recording, control } = attach(lamp)

test('an attached actor has the type of its machine', () => {
  expectTypeOf(actor).toExtend<ActorRefFrom<typeof lamp>>()
  expectTypeOf(actor.getSnapshot().context.hours).toBeNumber()
  // @ts-expect-error there is no such event
  actor.send({ type: 'lamp.broken' })
  // @ts-expect-error only the console pauses the clock
  attach(lamp, { clock: { setTimeout, clearTimeout } })
})

test('schemas are given by machine and event type', () => {
  const open = { type: 'object', properties: { hours: { type: 'number' } } }
  expectTypeOf(attach(lamp, { schemas: { lamp: { 'lamp.switch': open } } }).actor).toExtend<
    ActorRefFrom<typeof lamp>
  >()
  expectTypeOf(record(lamp, { schemas: { lamp: { 'lamp.switch': open } } }).actor).toExtend<
    ActorRefFrom<typeof lamp>
  >()
  // @ts-expect-error a schema is an object
  attach(lamp, { schemas: { lamp: { 'lamp.switch': 'hours: number' } } })
  // @ts-expect-error the machine comes first, then the event
  attach(lamp, { schemas: { 'lamp.switch': { type: 'object' } } })
})

test('notes are texts on a step, the last one by default', () => {
  expectTypeOf(recording.bookmark).toBeCallableWith('the last step')
  expectTypeOf(recording.bookmark).toBeCallableWith('it broke here', 812)
  // @ts-expect-error a step is given by its number
  recording.bookmark('it broke here', 'lamp.switch')
})

test("the console accepts an attached system, and a client's recording", () => {
  type Props = Parameters<typeof ChartroomConsole>[0]
  expectTypeOf({ recording, control }).toExtend<Props>()
  expectTypeOf<ClientRecording>().toExtend<Props['recording']>()
  expectTypeOf<ControlHandle>().toExtend<NonNullable<Props['control']>>()
  expectTypeOf<Props['theme']>().toEqualTypeOf<'system' | 'light' | 'dark' | undefined>()
})

test('the link to Stately’s inspector reports how much it sent', () => {
  expectTypeOf(createStatelyBridge(recording).reportedCount).returns.toEqualTypeOf<number | undefined>()
  // @ts-expect-error it takes a recording, not an actor
  createStatelyBridge(actor)
})
