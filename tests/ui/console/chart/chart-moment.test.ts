// A chart at a moment: which guards returned false, visit counts, and running timers.
import { describe, expect, it, test } from 'vitest'
import { assign, setup } from 'xstate'
import { record } from '../../../../src/public/devtools/recording.ts'
import { createVirtualClock } from '../../../../src/testing/virtual-clock.ts'
import { LiveFeed } from '../../../../src/trace/index.ts'
import { chartActivity, type ChartStep } from '../../../../src/ui/console/chart/chart-activity.ts'
import { ChartCounter } from '../../../../src/ui/console/chart/chart-counts.ts'
import { leftText } from '../../../../src/ui/console/chart/countdown.tsx'
import { liveTimers, pastTimers } from '../../../../src/ui/console/chart/running-timers.ts'
import { ViewPort } from '../../../../src/ui/widgets/drawing/view-port.ts'
import { doorChart } from '../../console-trace.ts'

describe('guards that returned false', () => {
  const before = { shut: { lock: 'locked', light: 'dark' } }
  const step = (via: readonly string[], type = 'key.turned'): ChartStep => ({
    seq: 4,
    type,
    value: before,
    via,
    changed: false,
    status: 'active',
  })
  const rejected = (...args: Parameters<typeof step>) => [
    ...chartActivity(doorChart, step(...args), { before, isNaming: true }).rejected.values(),
  ]

  it('belong to transitions before the one taken', () => {
    expect(rejected([])).toEqual([{ name: 'shut.lock.locked#1', guard: 'isOwner' }])
    expect(rejected(['shut.lock.locked#1'])).toEqual([])
    expect(rejected([], 'lamp.lit')).toEqual([])
  })

  it('are not shown for a trace without transition names', () => {
    const { rejected: none } = chartActivity(doorChart, { ...step([]), via: undefined }, { before })
    expect(none.size).toBe(0)
  })
})

test('visits are counted up to any moment, forward and back', () => {
  const steps = Array.from({ length: 6000 }, (_, n) => (n % 3 === 0 ? ['a'] : ['b', 'b.c']))
  const counter = new ChartCounter({
    numbers: steps.map((_, n) => n * 2),
    actor: () => 0,
    paths: seq => steps[seq / 2] ?? [],
    via: seq => (seq % 6 === 0 ? ['b#0'] : []),
  })
  const at = (seq: number) => {
    const { states, transitions } = counter.at(seq)
    return [states.get('a') ?? 0, states.get('b') ?? 0, states.get('b.c') ?? 0, transitions.get('b#0') ?? 0]
  }
  const expected = (seq: number) => {
    const count = Math.floor(seq / 2) + 1
    const [a, b] = [Math.ceil(count / 3), Math.ceil((count - 1) / 3)]
    return [a, b, b, a]
  }
  for (const seq of [0, 3, 11_998, 8000, 4094, 4095, 4096, 2, 11_000])
    expect([seq, at(seq)]).toEqual([seq, expected(seq)])
  expect(counter.at(11_000)).toBe(counter.at(11_001))
})

describe('timers', () => {
  const machine = setup({ delays: { mood: ({ context }) => (context as { n: number }).n } }).createMachine({
    id: 'm',
    context: { n: 70 },
    initial: 'a',
    states: {
      a: { after: { 500: 'b', mood: { actions: assign({ n: 1 }) } }, on: { poke: {} } },
      b: { after: { 300: 'a' } },
    },
  })
  const recorded = () => {
    const clock = createVirtualClock()
    const recording = record(machine, { clock })
    recording.start()
    clock.advance(100)
    recording.actor.send({ type: 'poke' })
    clock.advance(500)
    const feed = new LiveFeed(recording.trace)
    feed.advance(1000)
    const { timeline } = feed
    const chart = recording.trace.header.machines['m']
    if (!chart) throw new Error('no chart')
    return { timeline, chart }
  }

  it('past timers run until the trace or the chart shows their end', () => {
    const { timeline, chart } = recorded()
    const left = Array.from({ length: timeline.size }, (_, seq) => [
      timeline.type(seq),
      ...pastTimers(chart, timeline, seq).map(timer => `${timer.name} ${timer.left()}`),
    ])
    expect(left).toEqual([
      ['xstate.init', 'a#1 500', 'a#2 70'],
      ['xstate.after.mood.m.a', 'a#1 430'],
      ['poke', 'a#1 400'],
      ['xstate.after.500.m.a', 'b#0 300'],
    ])
  })

  it('timers of a controlled system are the ones set', () => {
    const { chart } = recorded()
    const set = [{ type: 'xstate.after.500.m.a', left: () => 7 }]
    expect(liveTimers(chart, ['a'], set).map(({ name, left, isLive }) => [name, left(), isLive])).toEqual([
      ['a#1', 7, true],
    ])
    expect(liveTimers(chart, ['b'], set)).toEqual([])
  })

  test.each([
    [4210, ' · 4.2 s'],
    [187_000, ' · 3:07'],
    [0, ' · due'],
  ])('%d ms is formatted as "%s"', (ms, text) => {
    expect(leftText(ms)).toBe(text)
  })
})

test('a machine without delays has no timers', () => {
  expect(liveTimers(doorChart, ['open'], [{ type: 'xstate.after.1.x', left: () => 1 }])).toEqual([])
})

test('a view port requests other shapes only when the surrounding ones are not enough', () => {
  const regions: number[] = []
  const port = new ViewPort(region => regions.push(region.x))
  port.set({ x: 0, y: 0, scale: 1 }, { width: 100, height: 100 })
  for (let step = 0; step < 4; step++) port.move({ x: -10, y: 0 })
  expect(regions).toEqual([-50])
  port.move({ x: -20, y: 0 })
  expect(regions).toEqual([-50, 10])
  port.zoom(0.5)
  expect(regions).toEqual([-50, 10])
  port.zoom(0.5)
  expect(regions).toHaveLength(3)
  port.zoom(8)
  expect(regions).toHaveLength(4)
})
