// The drawn parts of a machine's chart: text, arrows of folded states, search results, and key navigation.
import ELK from 'elkjs/lib/elk.bundled.js'
import { describe, expect, it, test } from 'vitest'
import { createMachine } from 'xstate'
import { machineChart } from '../../../../src/services/runtime/index.ts'
import { statesOf } from '../../../../src/trace/index.ts'
import { layoutChart, layoutGeometry } from '../../../../src/ui/console/chart/chart-layout.ts'
import { tableMeasure } from '../../../../src/ui/console/chart/chart-graph.ts'
import { chartParts, containerOf } from '../../../../src/ui/console/chart/chart-parts.ts'
import { search } from '../../../../src/ui/console/chart/use-chart-choices.ts'
import {
  durationText,
  eventText,
  isSendable,
  stateRows,
} from '../../../../src/ui/console/chart/chart-text.ts'
import { placeChart } from '../../../../src/ui/console/chart/placed-chart.ts'
import { nextState } from '../../../../src/ui/console/chart/use-chart-keys.ts'
import { doorChart } from '../../console-trace.ts'

const elk = new ELK()
const options = { measure: tableMeasure, direction: 'RIGHT' } as const
const run = (graph: Parameters<typeof elk.layout>[0]) => elk.layout(graph)

describe('text', () => {
  test.each([
    ['door.open', 'door.open', true],
    ['after 800', 'after 800 ms', false],
    ['after 90000', 'after 1.5 min', false],
    ['after pause', 'after pause', false],
    ['done load', 'load done', false],
    ['error load', 'load failed', false],
    ['always', 'always', false],
    ['done', 'done', false],
    ['door.*', 'door.*', false],
  ])('%s is shown as %s; can be sent: %s', (event, text, sendable) => {
    expect([eventText({ event }), isSendable(event)]).toEqual([text, sendable])
  })

  test('durations', () => {
    expect([5, 1000, 2500, 120_000, 5_400_000].map(durationText)).toEqual([
      '5 ms',
      '1 s',
      '2.5 s',
      '2 min',
      '1.5 h',
    ])
  })

  test('a state lists what it invokes in brief mode, and all its actions in full mode', () => {
    const lamp = machineChart(
      createMachine({
        id: 'lamp',
        description: 'It shines where it is dark, and it is dark where it shines not, all the night long.',
        entry: 'lift',
        exit: ['sink', 'rest'],
        tags: ['lit'],
        invoke: { src: 'burn' },
        on: { press: { actions: 'ring', guard: 'isDry' }, tide: {} },
      }),
    ).root
    expect(stateRows(lamp, 'brief')).toEqual([{ kind: 'runs', label: 'runs', text: 'burn' }])
    expect(stateRows(lamp, 'full').map(({ label, text }) => `${label} ${text}`.trim())).toEqual([
      'It shines where it is dark, and it',
      'is dark where it shines not, all the',
      'night long.',
      'entry lift',
      'exit sink, rest',
      'runs burn',
      'tags lit',
      'on press [isDry] / ring',
      'on tide',
    ])
  })
})

describe('folding', () => {
  const parts = chartParts(doorChart, { folded: new Set(['shut']) })

  it('draws a folded state without its children, and no arrows among them', () => {
    expect([...parts.states.keys()]).toEqual(['', 'open', 'shut', 'gone'])
    expect([...parts.edges.keys()]).toEqual(['open→shut', 'shut→open', 'shut→gone'])
  })

  it('redirects arrows from children to the drawn state', () => {
    const chart = machineChart(
      createMachine({
        id: 'm',
        initial: 'a',
        states: {
          a: {
            initial: 'b',
            states: { b: { on: { out: '#m.c' } } },
            on: { again: { target: 'a', reenter: true } },
          },
          c: { on: { in: 'a.b' } },
        },
      }),
    )
    const { edges, own } = chartParts(chart, { folded: new Set(['a']) })
    expect([...edges.values()].map(({ id, names }) => [id, names])).toEqual([
      ['a→c', ['a.b#0']],
      ['c→a', ['c#0']],
    ])
    expect([...own]).toEqual([['a', [{ text: '↻ again', kind: 'own', names: ['a#0'] }]]])
  })

  it('is laid out as a box that fits its text', async () => {
    const { boxes } = await layoutChart(parts, options, run)
    const shut = boxes.find(({ state }) => state.path === 'shut')
    expect(shut?.isNested).toBe(false)
    expect(shut?.width).toBeGreaterThan(tableMeasure('6 states folded', 'detail'))
  })
})

test('a stored layout is the same when read again', async () => {
  const parts = chartParts(doorChart)
  const geometry = await layoutGeometry(parts, options, run)
  const read = JSON.parse(JSON.stringify(geometry)) as typeof geometry
  expect(placeChart(parts, read)).toEqual(await layoutChart(parts, options, run))
})

test('history states, final states and delays have their own shapes', async () => {
  const chart = machineChart(
    createMachine({
      id: 'm',
      initial: 'on',
      states: {
        on: {
          initial: 'x',
          states: { x: {}, back: { type: 'history', history: 'deep' } },
          after: { 500: 'end' },
        },
        off: { on: { go: 'on.back' } },
        end: { type: 'final' },
      },
    }),
  )
  const { boxes, edges } = await layoutChart(chartParts(chart), options, run)
  const size = (path: string) => boxes.find(({ state }) => state.path === path)
  expect([size('on.back')?.width, size('on.back')?.height]).toEqual([26, 26])
  expect(edges.find(({ edge }) => edge.id === 'on→end')?.edge).toMatchObject({
    timed: true,
    lines: [{ text: 'after 500 ms', kind: 'event', names: ['on#0'] }],
  })
  const back = edges.find(({ edge }) => edge.id === 'off→on')?.edge
  expect(back?.ends).toEqual([{ name: 'off#0', source: 'off', target: 'on.back' }])
})

test('a search finds states and transitions by any word', () => {
  const states = statesOf(doorChart)
  expect(search(states, 'door', 'lock')).toEqual({
    states: ['shut.lock', 'shut.lock.locked'],
    transitions: [],
  })
  expect(search(states, 'door', 'KEY owner')).toEqual({ states: [], transitions: ['shut.lock.locked#1'] })
  expect(search(states, 'door', 'nothing')).toEqual({ states: [], transitions: [] })
})

test('arrow keys reach every state', async () => {
  const placed = await layoutChart(chartParts(doorChart), options, run)
  expect(nextState(placed, 'shut.lock.free', 'right')).toBe('shut.lock.locked')
  expect(nextState(placed, 'shut.lock.locked', 'left')).toBe('shut.lock.free')
  const reached = new Set(['open'])
  for (const path of reached)
    for (const heading of ['left', 'right', 'up', 'down'] as const)
      reached.add(nextState(placed, path, heading))
  expect([...reached].sort()).toEqual(
    placed.boxes
      .map(({ state }) => state.path)
      .filter(Boolean)
      .sort(),
  )
  expect([containerOf('a.b.c'), containerOf('a')]).toEqual(['a.b', ''])
})
