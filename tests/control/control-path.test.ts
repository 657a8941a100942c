// The path to a state: found in the chart, shown before it runs, and run in the system.
import { createActor, fromCallback, fromPromise, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { Control, pathTo, ControlPoint, takeMeThere } from '../../src/services/control/index.ts'
import { machineChart } from '../../src/services/runtime/index.ts'
import { composeClient, composeMachines, declaredPorts } from '../../src/services/client/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import type { StateValue } from '../../src/trace/index.ts'

const voyage = setup({
  types: { events: {} as { type: 'cast.off' } | { type: 'steer'; to: string } | { type: 'moor' } },
  actors: { tide: fromPromise(() => Promise.resolve('high')), log: fromCallback(() => undefined) },
  guards: { isNorth: ({ event }) => event.type === 'steer' && event.to === 'north' },
}).createMachine({
  id: 'voyage',
  initial: 'moored',
  states: {
    moored: { on: { 'cast.off': 'waiting' } },
    waiting: { invoke: { id: 'tide', src: 'tide', onDone: 'sailing' } },
    sailing: {
      type: 'parallel',
      on: { moor: 'moored' },
      states: {
        course: {
          initial: 'south',
          states: { south: { on: { steer: { guard: 'isNorth', target: 'north' } } }, north: {} },
        },
        watch: {
          initial: 'awake',
          states: { awake: { after: { 4_000: 'relieved' } }, relieved: { always: 'asleep' }, asleep: {} },
        },
      },
    },
  },
})
const chart = machineChart(voyage)

const words = (from: StateValue, to: string) =>
  pathTo(chart, from, to)?.map(({ means, event, guard, active }) =>
    [means, event, ...(guard === undefined ? [] : [`[${guard}]`]), '→', active.join(' + ')].join(' '),
  )

describe('the path', () => {
  test('leads through effects, guards and timers, and lists each', () => {
    expect(words('moored', 'sailing.course.north')).toEqual([
      'send cast.off → waiting',
      'effect done tide → sailing.course.south + sailing.watch.awake',
      'send steer [isNorth] → sailing.course.north + sailing.watch.awake',
    ])
    expect(words({ sailing: { course: 'north', watch: 'awake' } }, 'sailing.watch.asleep')).toEqual([
      'timer after 4000 → sailing.course.north + sailing.watch.relieved',
      'itself always → sailing.course.north + sailing.watch.asleep',
    ])
  })

  test('is empty for the current state and undefined for an unreachable one', () => {
    expect(words({ sailing: { course: 'north', watch: 'awake' } }, 'sailing')).toEqual([])
    expect(words('moored', 'nowhere')).toBe(undefined)
  })

  test('leads out of parallel regions', () => {
    expect(words({ sailing: { course: 'south', watch: 'asleep' } }, 'moored')).toEqual(['send moor → moored'])
  })

  test('is found for every state of our machines that is reachable in the chart', () => {
    const machines = Object.values({
      ...composeMachines(declaredPorts),
      client: composeClient(declaredPorts),
    })
    const missed = machines.flatMap(machine => {
      const drawn = machineChart(machine as Parameters<typeof machineChart>[0])
      const inside = (state: typeof drawn.root): string[] =>
        [state, ...state.states].flatMap((one, at) =>
          at === 0 ? (one.type === 'history' ? [] : [one.path]) : inside(one),
        )
      return inside(drawn.root)
        .filter(path => pathTo(drawn, undefined, path) === undefined)
        .map(path => `${drawn.id}: ${path}`)
    })
    expect(missed).toEqual([])
  })
})

describe('running the path', () => {
  const scene = () => {
    const point = new ControlPoint()
    const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
    const { clock } = point.world({ fetch, WebSocket: undefined, storage, clock: createVirtualClock() })
    const actor = createActor(voyage, { clock: clock as never })
    point.attach({ actor, send: (event: never) => actor.send(event) })
    const control = new Control(point)
    actor.start()
    const way = (to: string) => pathTo(chart, actor.getSnapshot().value as StateValue, to) ?? []
    return { actor, control, way, state: () => actor.getSnapshot().value }
  }

  test('sends events, fires timers and waits for effects', async () => {
    const { control, way, state } = scene()
    const seen: number[] = []
    const taken = await takeMeThere(control, 'voyage', way('sailing.watch.asleep'), {
      onStep: at => seen.push(at),
    })
    expect([taken, seen, state()]).toEqual([
      { outcome: 'there' },
      [0, 1, 2, 3],
      { sailing: { course: 'south', watch: 'asleep' } },
    ])
  })

  test('stops where a guard blocks, and continues with another payload', async () => {
    const { control, way } = scene()
    const steps = way('sailing.course.north')
    expect(await takeMeThere(control, 'voyage', steps, { payload: () => ({ to: 'west' }) })).toEqual({
      outcome: 'stopped',
      at: 2,
      reason: 'steer did not lead to sailing.course.north: its guard isNorth may have returned false',
    })
    const rest = way('sailing.course.north')
    expect(await takeMeThere(control, 'voyage', rest, { payload: () => ({ to: 'north' }) })).toEqual({
      outcome: 'there',
    })
  })
})
