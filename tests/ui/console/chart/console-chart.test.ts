// The console's charts: layouts are readable, and each record highlights what it did.
import ELK from 'elkjs/lib/elk.bundled.js'
import { describe, expect, it } from 'vitest'
import { clientMachine } from '../../../../src/machines/index.ts'
import { machineCharts } from '../../../../src/services/runtime/index.ts'
import type { MachineChart, StateValue, StepRecord } from '../../../../src/trace/index.ts'
import { chartActivity, matchesEvent } from '../../../../src/ui/console/chart/chart-activity.ts'
import { FONT_SIZES, type Direction, type Measure } from '../../../../src/ui/console/chart/chart-graph.ts'
import { separatorsOf, type Box } from '../../../../src/ui/console/chart/chart-geometry.ts'
import { layoutChart } from '../../../../src/ui/console/chart/chart-layout.ts'
import { chartParts } from '../../../../src/ui/console/chart/chart-parts.ts'
import { READABLE_SCALE, readable } from '../../../../src/ui/console/chart/view-port.ts'
import { fit, zoom } from '../../../../src/ui/widgets/drawing/view-port.ts'
import { doorChart, stepRecords } from '../../console-trace.ts'

const measure: Measure = (text, kind) => text.length * (kind === 'state' ? 7 : 6)
const place = (chart: MachineChart, direction: Direction = 'RIGHT') => {
  const elk = new ELK()
  const parts = chartParts(chart, { detail: 'full' })
  return layoutChart(parts, { measure, direction }, graph => elk.layout(graph))
}
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

describe('layoutChart', () => {
  const charts = Object.entries({ ...machineCharts(clientMachine), door: doorChart })
  const cases = charts.flatMap(([id, chart]) =>
    (['RIGHT', 'DOWN'] as const).map(direction => ({ id, chart, direction })),
  )

  it.each(cases)('places $id ($direction) without overlapping text', async ({ chart, direction }) => {
    const placed = await place(chart, direction)
    const leaves = placed.boxes.filter(box => !box.isNested && !box.isRoot)
    const texts = [
      ...leaves.map(box => ({ name: box.state.path, box })),
      ...placed.edges.map(edge => ({ name: edge.edge.id, box: edge.label })),
    ]
    const clashes = texts.flatMap((a, at) =>
      texts.slice(at + 1).flatMap(b => (overlap(a.box, b.box) ? [`${a.name} over ${b.name}`] : [])),
    )
    expect(clashes).toEqual([])
  })

  it('starts at the initial state despite transitions back to it', async () => {
    const { boxes, edges, initials } = await place(doorChart)
    const left = (path: string) => boxes.find(box => box.state.path === path)?.x ?? NaN
    expect(left('open')).toBeLessThan(left('shut'))
    expect(left('shut.lock.free')).toBeLessThan(left('shut.lock.locked'))
    expect(initials.length).toBe(3)
    const back = edges.find(({ edge }) => edge.id === 'shut→open')
    expect(back && (back.points[0]?.x ?? 0) > (back.points.at(-1)?.x ?? 0)).toBe(true)
  })

  it('joins transitions between the same states and puts a guard on a separate line', async () => {
    const { edges } = await place(doorChart)
    expect(
      edges
        .find(({ edge }) => edge.id === 'shut.lock.locked→shut.lock.free')
        ?.edge.lines.map(({ text }) => text),
    ).toEqual(['after hour', 'key.turned', '[isOwner]'])
  })

  it('aligns regions and separates them', async () => {
    const { boxes } = await place(doorChart)
    const regions = boxes.filter(box => box.isRegion)
    expect(regions.map(({ state }) => state.path)).toEqual(['shut.lock', 'shut.light'])
    expect(new Set(regions.map(({ width }) => width)).size).toBe(1)
    expect(boxes.find(box => box.state.path === 'shut')?.separators.length).toBe(1)
  })

  it('separates regions in columns by vertical lines', () => {
    const box = { x: 0, y: 0, width: 100, height: 40 }
    const regions = [
      { x: 60, y: 5, width: 30, height: 30 },
      { x: 10, y: 5, width: 30, height: 30 },
    ]
    expect(separatorsOf(box, regions)).toEqual([
      [
        { x: 50, y: 0 },
        { x: 50, y: 40 },
      ],
    ])
  })
})

describe('chartActivity', () => {
  const step = (type: string, value: StateValue, before?: StateValue, rest: Partial<StepRecord> = {}) => {
    const [record] = stepRecords([{ actor: 0, type, value, ...rest }])
    if (!record) throw new Error('No view')
    const view = { ...record, type, value, via: record.via }
    const { active, taken, entered } = chartActivity(doorChart, view, { before })
    return { active: [...active], taken: [...taken], entered: [...entered] }
  }
  const shut = (lock: string, light = 'dark') => ({ shut: { lock, light } })

  it('highlights the active states of every region and the transition taken', () => {
    expect(step('key.turned', shut('locked'), shut('free'))).toEqual({
      active: ['shut', 'shut.lock', 'shut.lock.locked', 'shut.light', 'shut.light.dark'],
      taken: ['shut.lock.free#0'],
      entered: ['shut.lock.locked'],
    })
  })

  it('finds timers by their delay and outer transitions by their state', () => {
    expect(step('xstate.after.hour.door.shut.lock.locked', shut('free'), shut('locked')).taken).toEqual([
      'shut.lock.locked#0',
    ])
    expect(step('door.open', 'open', shut('free')).taken).toEqual(['shut#0'])
  })

  it('highlights no transition at the start or if nothing changed', () => {
    expect(step('xstate.init', 'open').taken).toEqual([])
    expect(step('door.shut', 'open', 'open', { changed: false }).taken).toEqual([])
  })

  it.each([
    ['door.open', 'door.open', true],
    ['door.open', 'door.opened', false],
    ['door.*', 'door.open', true],
    ['*', 'anything', true],
    ['after 800', 'xstate.after.800.door', true],
    ['after 80', 'xstate.after.800.door', false],
    ['done load', 'xstate.done.actor.load', true],
    ['error load', 'xstate.error.actor.load', true],
  ])('%s takes %s: %s', (descriptor, type, taken) => {
    expect(matchesEvent(descriptor, type)).toBe(taken)
  })
})

describe('view box', () => {
  const pane = { width: 400, height: 200 }

  it('shows a chart whole if that is readable, and never enlarges it', () => {
    expect(fit({ width: 100, height: 50 }, pane)).toEqual({ scale: 1, x: 150, y: 75 })
    expect(readable({ width: 400, height: 50 }, pane, []).scale).toBe(0.96)
  })

  it('otherwise shows the part around the active states, within the chart', () => {
    const focus = { x: 1900, y: 10, width: 60, height: 30 }
    expect(readable({ width: 2000, height: 100 }, pane, [focus])).toEqual({
      scale: READABLE_SCALE,
      x: 400 - 2000 * READABLE_SCALE - 8,
      y: (200 - 100 * READABLE_SCALE) / 2,
    })
  })

  it('shows the first active states if it cannot show them all', () => {
    const drawing = { width: 380, height: 2000 }
    const at = (y: number) => ({ x: 10, y, width: 60, height: 30 })
    const middle = (top: number, bottom: number) => 100 - ((top + bottom) / 2) * READABLE_SCALE
    expect(readable(drawing, pane, [at(600), at(1500)]).y).toBeCloseTo(middle(600, 630))
    expect(readable(drawing, pane, [at(600), at(1500), at(500)]).y).toBeCloseTo(middle(500, 630))
  })

  it('never draws a label smaller than 11 pixels by default', () => {
    const wide = readable({ width: 9000, height: 4000 }, pane, [{ x: 0, y: 0, width: 8000, height: 9 }])
    expect(wide.scale * FONT_SIZES.edge).toBeCloseTo(11)
  })

  it('zooms around a point that keeps its position', () => {
    const at = { x: 100, y: 50 }
    expect(zoom({ scale: 1, x: 0, y: 0 }, 2, at)).toEqual({ scale: 2, x: -100, y: -50 })
  })
})
