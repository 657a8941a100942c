// Machines without an id: each has its own chart, and a recording that begins during a run restores the right one.
import { assign, createMachine, setup } from 'xstate'
import type { AnyActorRef, AnyStateMachine } from 'xstate'
import { expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'

const lamp = createMachine({
  context: { n: 0 },
  initial: 'off',
  states: {
    off: {
      on: {
        flip: { target: 'on', actions: assign({ n: ({ context }) => (context as { n: number }).n + 1 }) },
      },
    },
    on: { on: { flip: 'off' } },
  },
})
const house = { initial: 'shut', states: { shut: { on: { open: 'open' } }, open: {} } } as const
const invoking = createMachine({ ...house, invoke: { src: lamp, id: 'lamp' } })
const providing = setup({ actors: { lamp } }).createMachine({
  ...house,
  context: ({ spawn }) => ({ lamp: spawn('lamp', { id: 'lamp' }) }),
})
/** Only code knows its child. */
const spawning = createMachine({ ...house, context: ({ spawn }) => ({ lamp: spawn(lamp, { id: 'lamp' }) }) })

function recorded(machine: AnyStateMachine, isRunning: boolean) {
  const recording = record(machine)
  const actor = recording.actor as AnyActorRef
  const flip = () => (actor.getSnapshot().children.lamp as AnyActorRef).send({ type: 'flip' })
  recording.start()
  flip()
  if (isRunning) recording.startRecording()
  flip()
  actor.send({ type: 'open' })
  flip()
  recording.stop()
  return recording.trace
}

const system = '(machine)'

test.each([
  ['invoked', invoking],
  ['provided', providing],
])('a child that is %s has its own chart', (_, machine) => {
  const { header, actors } = recorded(machine, false)
  expect(Object.keys(header.machines)).toEqual([system, `${system}#2`])
  expect(actors.map(({ path, src }) => [path, src])).toEqual([
    [system, system],
    [`${system}/lamp`, `${system}#2`],
  ])
  const states = (id: string) => header.machines[id]?.root.states.map(({ key }) => key)
  expect([states(system), states(`${system}#2`)]).toEqual([
    ['shut', 'open'],
    ['off', 'on'],
  ])
})

test.each([
  ['invoked', invoking, { outcome: 'exact' }],
  ['provided', providing, { outcome: 'exact' }],
  [
    'spawned by code alone',
    spawning,
    { outcome: 'unusable', reason: expect.stringContaining(`${system}/lamp`) as string },
  ],
])('a recording that begins during a run, with a child that is %s', (_, machine, expected) => {
  expect(verify(recorded(machine, false), { [system]: machine }).outcome).toBe('exact')
  expect(verify(recorded(machine, true), { [system]: machine })).toMatchObject(expected)
})

test('machines with one id and the same chart have one chart', () => {
  const made = () => createMachine({ id: 'lamp', initial: 'off', states: { off: {} } })
  const { header, actors } = recorded(
    createMachine({
      ...house,
      invoke: [
        { src: made(), id: 'lamp' },
        { src: made(), id: 'other' },
      ],
    }),
    false,
  )
  expect(Object.keys(header.machines)).toEqual([system, 'lamp'])
  expect(actors.map(({ src }) => src)).toEqual([system, 'lamp', 'lamp'])
})
