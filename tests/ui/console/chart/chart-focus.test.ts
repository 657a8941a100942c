// A chart around its active states: what is drawn, that it fits small panes, and where each state came from.
import { describe, expect, it, test } from 'vitest'
import { createMachine, setup } from 'xstate'
import { clientMachine } from '../../../../src/machines/index.ts'
import { record } from '../../../../src/public/devtools/recording.ts'
import { machineCharts } from '../../../../src/services/runtime/index.ts'
import { createVirtualClock } from '../../../../src/testing/virtual-clock.ts'
import { type ChartState, type MachineChart, LiveFeed } from '../../../../src/trace/index.ts'
import type { Box, Point, Size } from '../../../../src/ui/console/chart/chart-geometry.ts'
import { tableMeasure } from '../../../../src/ui/console/chart/chart-graph.ts'
import { readMode, START_MODE, writeMode } from '../../../../src/ui/console/chart/use-chart-choices.ts'
import { originsAt } from '../../../../src/ui/console/chart/use-chart-run.ts'
import { focusChart } from '../../../../src/ui/console/chart/focus-layout.ts'
import type { PlacedChart } from '../../../../src/ui/console/chart/placed-chart.ts'
import { clearOf } from '../../../../src/ui/console/chart/view-port.ts'
import { fit } from '../../../../src/ui/widgets/drawing/view-port.ts'
import { doorChart } from '../../console-trace.ts'

const options = (pane: Size) => ({ measure: tableMeasure, pane, detail: 'brief' }) as const

/** Returns all active states if the one at this path is active and all others are in their initial states. */
function activeAt({ root }: MachineChart, path: string): ReadonlySet<string> {
  const active = new Set<string>()
  const enter = (state: ChartState): void => {
    if (state.path !== '') active.add(state.path)
    if (state.type === 'parallel') return state.states.forEach(enter)
    const within = state.states.find(child => path === child.path || path.startsWith(`${child.path}.`))
    const next = within ?? state.states.find(({ key }) => key === state.initial)
    if (next) enter(next)
  }
  enter(root)
  return active
}

const focusAt = (chart: MachineChart, path: string, origin?: string) => ({
  active: activeAt(chart, path),
  entered: new Set([path]),
  origins: new Map(origin === undefined ? [] : [[path.slice(0, Math.max(0, path.lastIndexOf('.'))), origin]]),
})

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

describe('around the active states', () => {
  it('contains the origin, the active state and possible targets', () => {
    const placed = focusChart(
      doorChart,
      focusAt(doorChart, 'open', 'shut'),
      options({ width: 800, height: 300 }),
    )
    expect(placed?.boxes.map(({ state }) => state.path)).toEqual(['open', 'shut'])
    expect([...(placed?.folded ?? [])]).toEqual(['shut', 'shut.lock', 'shut.light'])
    expect(placed?.edges.map(({ edge }) => [edge.id, edge.names])).toEqual([
      ['shut→open', ['shut#0']],
      ['open→shut', ['open#0']],
    ])
  })

  it('lists transitions as text if there is no space for an arrow', () => {
    const wide = focusChart(
      doorChart,
      focusAt(doorChart, 'shut.lock.locked'),
      options({ width: 1200, height: 600 }),
    )
    expect(wide?.boxes.flatMap(({ own }) => own)).toEqual([])
    const low = focusChart(
      doorChart,
      focusAt(doorChart, 'shut.lock.locked'),
      options({ width: 330, height: 220 }),
    )
    const shut = low?.boxes.find(({ state }) => state.path === 'shut')
    expect(shut?.own.map(({ text }) => text)).toEqual(['door.open → open', 'door.removed → gone'])
  })

  it('leaves out ancestors if even text does not fit', () => {
    const focus = focusAt(doorChart, 'shut.lock.locked', 'shut.lock.free')
    const low = focusChart(doorChart, focus, options({ width: 420, height: 90 }))
    expect(low?.boxes.map(({ state }) => state.path)).toEqual(['shut.lock.free', 'shut.lock.locked'])
  })

  it('reserves space for a countdown, and for the guard of the last transition', () => {
    const { measure } = options({ width: 0, height: 0 })
    const machine = setup({ guards: { isRefused: () => true }, delays: { renewal: 1000 } }).createMachine({
      id: 'pass',
      initial: 'in',
      states: {
        in: {
          initial: 'fresh',
          on: { lost: { guard: 'isRefused', target: 'out' } },
          states: { fresh: { after: { renewal: 'old' } }, old: {} },
        },
        out: {},
      },
    })
    const chart = machineCharts(machine)['pass'] ?? doorChart
    const out = focusChart(chart, focusAt(chart, 'out', 'in'), options({ width: 500, height: 300 }))
    expect(out?.edges.map(({ edge }) => edge.lines.map(({ text }) => text))).toEqual([['lost']])
    expect(out?.edges[0]?.label.width).toBeGreaterThan(measure('lost [isRefused]', 'edge'))
    const low = focusChart(chart, focusAt(chart, 'in.fresh'), options({ width: 180, height: 300 }))
    const fresh = low?.boxes.find(({ state }) => state.path === 'in.fresh')
    expect(fresh?.own.map(({ text }) => text)).toEqual(['after renewal → old'])
    expect(fresh?.width).toBeGreaterThan(measure('after renewal → old · 00.0 s', 'edge') + 14)
  })

  it('is undefined if no state is active', () => {
    const none = { active: new Set<string>(), entered: new Set<string>(), origins: new Map<string, string>() }
    expect(focusChart(doorChart, none, options({ width: 300, height: 300 }))).toBeUndefined()
  })

  const charts = Object.values(machineCharts(clientMachine)).filter(({ root }) => root.states.length > 0)
  it.each(charts)('of $id fits 900 × 500 legibly in each of its states, without overlapping text', chart => {
    const leaves: string[] = []
    const visit = (state: ChartState): void => {
      if (state.states.length === 0) leaves.push(state.path)
      state.states.forEach(visit)
    }
    visit(chart.root)
    const pane = clearOf({ width: 900, height: 500 })
    for (const path of leaves) {
      const placed = focusChart(chart, focusAt(chart, path), options(pane))
      if (!placed) throw new Error(`Nothing is drawn at ${path}`)
      expect([path, fit(placed, pane).scale >= 0.75]).toEqual([path, true])
      const texts = [
        ...placed.boxes.filter(box => !box.isNested).map(box => ({ name: box.state.path, box })),
        ...placed.edges.map(({ edge, label }) => ({ name: edge.id, box: label })),
      ]
      const clashes = texts.flatMap((a, at) =>
        texts.slice(at + 1).flatMap(b => (overlap(a.box, b.box) ? [`${a.name} over ${b.name}`] : [])),
      )
      expect([path, clashes]).toEqual([path, []])
    }
  })

  it.each(charts)('of $id has no arrow through a label of another, for any origin', chart => {
    const found: string[] = []
    const visit = (state: ChartState): void => {
      for (const { key, path } of state.states) {
        const others = state.states.filter(other => other.key !== key)
        for (const origin of state.type === 'parallel' ? [] : others) {
          const focus = { ...focusAt(chart, path), origins: new Map([[state.path, origin.path]]) }
          const placed = focusChart(chart, focus, options({ width: 900, height: 500 }))
          found.push(...crossings(placed).map(text => `${origin.path} ⇢ ${path}: ${text}`))
        }
      }
      state.states.forEach(visit)
    }
    visit(chart.root)
    expect(found).toEqual([])
  })
})

/** Labels crossed by a horizontal or vertical part of another's arrow. */
function crossings(placed: PlacedChart | undefined): readonly string[] {
  const arrows = [
    ...(placed?.edges ?? []).map(({ edge, points }) => ({ id: edge.id, points })),
    ...(placed?.passages ?? []).map(points => ({ id: 'a passage', points })),
  ]
  return (placed?.edges ?? []).flatMap(({ edge, label }) =>
    arrows
      .filter(({ id, points }) => id !== edge.id && stretches(points).some(part => overlap(label, part)))
      .map(({ id }) => `${id} through ${edge.id}`),
  )
}

const stretches = (points: readonly Point[]): readonly Box[] =>
  points.slice(1).map((to, at) => {
    const from = points[at] ?? to
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
    return { x, y, width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) }
  })

test('each state has the previous state in the same parent as its origin', () => {
  const clock = createVirtualClock()
  const machine = createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: { on: { go: 'b' } },
      b: {
        type: 'parallel',
        on: { back: 'a' },
        states: {
          x: { initial: 'one', states: { one: { on: { x: 'two' } }, two: {} } },
          y: { initial: 'one', states: { one: { on: { y: 'two' } }, two: {} } },
        },
      },
    },
  })
  const recording = record(machine, { clock })
  recording.start()
  for (const type of ['go', 'x', 'y', 'back', 'go']) recording.actor.send({ type })
  const feed = new LiveFeed(recording.trace)
  feed.advance(1000)
  const { timeline } = feed
  const reported = Array.from({ length: timeline.size }, (_, seq) => [
    timeline.type(seq),
    Object.fromEntries(originsAt(timeline, seq)),
  ])
  expect(reported).toEqual([
    ['xstate.init', {}],
    ['go', { '': 'a' }],
    ['x', { '': 'a', 'b.x': 'b.x.one' }],
    ['y', { '': 'a', 'b.x': 'b.x.one', 'b.y': 'b.y.one' }],
    ['back', { '': 'b' }],
    ['go', { '': 'a' }],
  ])
})

test('the URL contains how a chart is drawn', () => {
  const mode = {
    mode: 'whole',
    detail: 'full',
    isHeat: true,
    folded: new Set(['shut', 'shut.lock']),
  } as const
  expect(writeMode(mode)).toBe('whole,full,heat,-shut,-shut.lock')
  expect(readMode(writeMode(mode))).toEqual(mode)
  expect([writeMode(START_MODE), readMode(''), readMode('nonsense')]).toEqual(['', START_MODE, START_MODE])
})

test('a chart of 300 states is placed around its active states within a frame or two', () => {
  const leaf = (at: number, n: number) => ({
    on: Object.fromEntries([1, 2, 3].map(by => [`e${by}`, `s${(n + by) % 9}`])),
    description: `${at}`,
  })
  const group = (at: number) => ({
    initial: 's0',
    on: { [`to${(at + 1) % 30}`]: `#big.g${(at + 1) % 30}`, home: '#big.g0' },
    states: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`s${n}`, leaf(at, n)])),
  })
  const chart = machineCharts(
    createMachine({
      id: 'big',
      initial: 'g0',
      states: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`g${at}`, group(at)])),
    }),
  )['big']
  if (!chart) throw new Error('no chart')
  const place = () =>
    focusChart(chart, focusAt(chart, 'g4.s4', 'g4.s3'), options({ width: 800, height: 300 }))
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now()
    place()
    return performance.now() - began
  })
  expect(place()?.boxes.length).toBeLessThan(12)
  expect(Math.min(...times)).toBeLessThan(50)
})
