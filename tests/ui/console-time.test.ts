// Time in the console: the axis, the brush, the lanes, hit testing, and playback.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clamped,
  duration,
  panned,
  revealing,
  tickLabel,
  ticks,
  timeScale,
  wholeOf,
  zoomed,
  type Range,
  parseMoment,
} from '../../src/ui/console/canvas/time-scale.ts'
import { dragged, handleAt } from '../../src/ui/console/minimap/use-brush.ts'
import { hitAt } from '../../src/ui/console/timeline/use-lane-controls.ts'
import { advanced, playedViews, SPEEDS } from '../../src/ui/console/transport/playback.ts'
import { neighborOf, nextSpeed } from '../../src/ui/console/transport/transport.tsx'
import { ROW, RULER, laneList } from '../../src/ui/console/timeline/lanes.ts'
import { laneId } from '../../src/ui/console/timeline/lane-rows.tsx'
import {
  rangeOfLife,
  rangeOfMarks,
  rangeOfState,
} from '../../src/ui/console/timeline/use-timeline-commands.ts'
import { fittingLabel, stateLabels } from '../../src/ui/console/timeline/draw-lanes.ts'
import { stateInfo } from '../../src/trace/timeline/state-value.ts'
import { actorEntries, timelineOf, stepRecords } from './console-trace.ts'
import { assertProperty } from '../harness/volume.ts'

const WHOLE: Range = [0, 1000]
const anyRange = fc
  .tuple(fc.double({ min: 0, max: 999, noNaN: true }), fc.double({ min: 0.1, max: 500, noNaN: true }))
  .map(([from, length]) => clamped([from, from + length], WHOLE))

describe('the axis', () => {
  it('keeps the point under the pointer in place while zooming, if there is room', () => {
    assertProperty(
      fc.property(anyRange, fc.double({ min: 0.2, max: 0.8, noNaN: true }), (range, share) => {
        const about = range[0] + share * (range[1] - range[0])
        const closer = timeScale(zoomed(range, about, 0.5, WHOLE), 800)
        expect(closer.x(about)).toBeCloseTo(timeScale(range, 800).x(about), 3)
      }),
    )
  })

  it('never leaves the whole, and panning keeps the length', () => {
    assertProperty(
      fc.property(anyRange, fc.double({ min: -3, max: 3, noNaN: true }), (range, share) => {
        const moved = panned(range, share, WHOLE)
        expect(moved[0]).toBeGreaterThanOrEqual(0)
        expect(moved[1]).toBeLessThanOrEqual(1000 + 1e-9)
        expect(moved[1] - moved[0]).toBeCloseTo(range[1] - range[0], 6)
        const [from, to] = zoomed(range, range[0], 1e9, WHOLE)
        expect([from, to]).toEqual([0, 1000])
      }),
    )
  })

  it('moves no more than needed to show a time', () => {
    expect(revealing([100, 200], 150, WHOLE)).toEqual([100, 200])
    expect(revealing([100, 200], 300, WHOLE)).toEqual([210, 310])
    expect(revealing([100, 200], 5, WHOLE)).toEqual([0, 100])
  })

  it.each<[Range, string[]]>([
    [
      [0, 700],
      ['0 ms', '200 ms', '400 ms', '600 ms'],
    ],
    [
      [0, 4000],
      ['0 s', '1 s', '2 s', '3 s', '4 s'],
    ],
    [
      [59_000, 63_000],
      ['59 s', '1:00', '1:01', '1:02', '1:03'],
    ],
    [
      [1000, 1004],
      ['1.000 s', '1.001 s', '1.002 s', '1.003 s', '1.004 s'],
    ],
    [
      [0, 5 * 3_600_000],
      ['0 s', '1:00:00', '2:00:00', '3:00:00', '4:00:00', '5:00:00'],
    ],
  ])('has round ticks, as precise as needed: %j', (range, labels) => {
    const marks = ticks(timeScale(range, 500), 90)
    expect(marks.map(t => tickLabel(t, (marks[1] ?? 0) - (marks[0] ?? 0)))).toEqual(labels)
  })

  it.each([
    [0.32, '320 µs'],
    [12.41, '12.4 ms'],
    [3204, '3.20 s'],
    [250_000, '4 min 10 s'],
    [7_380_000, '2 h 3 min'],
  ])('formats %d ms', (ms, text) => expect(duration(ms)).toBe(text))
})

describe('a typed moment', () => {
  it.each([
    ['1:04.8', { t: 64_800 }],
    ['1:02:03', { t: 3_723_000 }],
    ['12.5', { t: 12_500 }],
    [' 400 ms', { t: 400 }],
    ['2 min 10s', { t: 130_000 }],
    ['#1,204', { seq: 1204 }],
    ['soon', undefined],
    ['', undefined],
  ])('%j', (text, moment) => expect(parseMoment(text)).toEqual(moment))
})

describe('the brush', () => {
  it('holds an end or the window, or starts a new range', () => {
    expect([98, 150, 203, 400].map(x => handleAt(x, [100, 200]))).toEqual(['from', 'window', 'to', 'new'])
    expect(handleAt(100, undefined)).toBe('new')
  })

  it.each([
    ['new', [0, 1000], 300, 100, [100, 300]],
    ['new', [0, 1000], 900, 4000, [900, 1000]],
    ['window', [100, 200], 150, 1500, [900, 1000]],
    ['from', [100, 200], 100, 260, [200, 260]],
    ['to', [100, 200], 200, -50, [0, 100]],
  ] as const)('dragging %s from %j: %d to %d', (handle, before, from, to, range) => {
    expect(dragged(handle, before, from, to, WHOLE)).toEqual(range)
  })
})

const fleet = actorEntries(
  ['client', 'client'],
  ['client/session', 'session'],
  ['client/requests', 'requests'],
  ...Array.from({ length: 14 }, (_, at) => [`client/requests/request.${at}`, 'request'] as const),
)

const fleetSteps = stepRecords([
  { actor: 0, type: 'xstate.init', value: 'on' },
  { actor: 1, type: 'xstate.init', value: 'booting', from: 0 },
  { actor: 2, type: 'xstate.init', value: 'ready', from: 0 },
  ...fleet.slice(3).map(({ index }) => ({ actor: index, type: 'xstate.init', value: 'sending', from: 2 })),
  ...fleet.slice(3, 10).map(({ index }) => ({
    actor: index,
    type: 'send.answered',
    value: 'answered',
    status: 'done' as const,
  })),
  { actor: 2, type: 'request.settled', value: 'ready', from: 3 },
  { actor: 1, type: 'stored.found', value: 'authenticated', from: 2 },
])

describe('the lanes', () => {
  const timeline = timelineOf(fleet, fleetSteps)

  it('collapse actors with many descendants, and show their number', () => {
    const list = laneList(timeline, wholeOf(timeline.end), new Map())
    const { lanes, folded, outside, rowOf } = list
    expect(lanes).toEqual([
      { actor: 0, depth: 0, below: 16, isOpen: true },
      { actor: 1, depth: 1, below: 0, isOpen: true },
      { actor: 2, depth: 1, below: 14, isOpen: false },
    ])
    expect({ folded, outside }).toEqual({ folded: 14, outside: 0 })
    expect(rowOf.get(9)).toBe(2)
    // A collapsed actor is represented by its ancestor's lane; a lane scrolled out of view is not referenced.
    expect([laneId('lane', list, 9, 0, 200), laneId('lane', list, 9, 900, 200)]).toEqual([
      'lane-2',
      undefined,
    ])
  })

  it('expand on request, and leave out actors that were not running in the range', () => {
    const late: Range = [timeline.end - 1, timeline.end]
    const { lanes, folded, outside } = laneList(timeline, late, new Map([[2, true]]))
    expect(lanes.map(({ actor }) => actor)).toEqual([0, 1, 2, 10, 11, 12, 13, 14, 15, 16])
    expect({ folded, outside }).toEqual({ folded: 0, outside: 7 })
  })

  it('draw ports on the actors they work for, and order families', () => {
    const ported = timelineOf(
      actorEntries(
        ['client', 'client'],
        ['client/environment', 'environment'],
        ['client/connection', 'connection'],
        ['client/connection/socket', 'socket'],
        ['client/session', 'session'],
      ),
      stepRecords([
        { actor: 0, type: 'xstate.init' },
        { actor: 1, type: 'xstate.init' },
        { actor: 2, type: 'xstate.init', value: 'open' },
        { actor: 3, type: 'xstate.init' },
        { actor: 4, type: 'xstate.init', value: 'booting' },
      ]),
    )
    const rows = laneList(ported, wholeOf(ported.end), new Map()).lanes
    expect(rows).toEqual([
      { actor: 0, depth: 0, below: 4, isOpen: true },
      { actor: 4, depth: 1, below: 0, isOpen: true },
      { actor: 2, depth: 1, below: 1, isOpen: false },
      { actor: 1, depth: 1, below: 0, isOpen: true },
    ])
  })

  it.each([
    [400, 'authenticated(token.fresh, user.cached)'],
    [120, 'fresh · cached'],
    [40, 'fresh'],
    [24, 'fr…'],
    [10, undefined],
  ])('show as much of a state as fits: %d', (room, label) => {
    const state = stateInfo({ authenticated: { token: 'fresh', user: 'cached' } })
    expect(fittingLabel(stateLabels(state), room, text => text.length * 7)).toBe(label)
  })

  it('have ranges for a state, a lifetime, and between marks', () => {
    const full = wholeOf(timeline.end)
    expect(rangeOfState(timeline, 3, full)).toEqual([16, 184])
    expect(rangeOfState(timeline, -1, full)).toBeUndefined()
    expect(rangeOfLife(timeline, 10, full)).toEqual([75, 255])
    expect(rangeOfMarks(timeline, { a: 5, b: 3 }, full)).toEqual([28, 52])
    expect(rangeOfMarks(timeline, { a: 5 }, full)).toBeUndefined()
  })

  it('describe what is below the pointer', () => {
    const list = laneList(timeline, wholeOf(timeline.end), new Map())
    const scale = timeScale([0, 250], 2500)
    const inLane = (row: number, x: number) =>
      hitAt(timeline, list, scale, { x, y: RULER + row * ROW + 5, top: 0 })
    expect(inLane(1, 102)).toEqual({ row: 1, actor: 1, seq: 1, isPoint: true })
    expect(inLane(1, 1200)).toEqual({ row: 1, actor: 1, seq: 1, isPoint: false })
    expect(inLane(1, 40)).toBeUndefined()
    expect(inLane(7, 1200)).toBeUndefined()
    expect(hitAt(timeline, list, scale, { x: 102, y: 3, top: 0 })).toBeUndefined()
  })
})

describe('playback', () => {
  const times = [0, 10, 10, 40, 5040, 5050]
  const timeline = timelineOf(
    actorEntries(['client', 'client']),
    stepRecords(times.map(t => ({ actor: 0, type: 'tick', t }))),
  )
  const from = (seq: number, passed: number, speed = 1, waited = 0) =>
    advanced(timeline, { seq, waited }, passed, speed, 5)

  it('advances by the elapsed time, and keeps the remainder', () => {
    expect(from(0, 9)).toEqual({ seq: 0, waited: 9 })
    expect(from(0, 1, 1, 9)).toEqual({ seq: 2, waited: 0 })
    expect(from(0, 25)).toEqual({ seq: 2, waited: 15 })
    expect(from(0, 25, 2)).toEqual({ seq: 3, waited: 5 })
    expect(from(0, 50, 0.1)).toEqual({ seq: 0, waited: 50 })
  })

  it('waits at most a second without events, and stops at the end', () => {
    expect(from(3, 999)).toEqual({ seq: 3, waited: 999 })
    expect(from(3, 1001)).toEqual({ seq: 4, waited: 1 })
    expect(from(3, 60_000)).toEqual({ seq: 5, waited: 0 })
    expect(from(5, 10)).toEqual({ seq: 5, waited: 0 })
  })

  it('reaches the same position for any batches of time', () => {
    assertProperty(
      fc.property(fc.array(fc.nat(400), { maxLength: 12 }), fc.constantFrom(...SPEEDS), (batches, speed) => {
        const all = batches.reduce((sum, ms) => sum + ms, 0)
        const step = batches.reduce(
          (at, ms) => advanced(timeline, at, ms, speed, 5),
          advanced(timeline, { seq: 0, waited: 0 }, 0, speed, 5),
        )
        const whole = from(0, all, speed)
        expect(step.seq).toBe(whole.seq)
        expect(step.waited).toBeCloseTo(whole.waited, 6)
      }),
    )
  })

  it('cycles through speeds, and through highlights, wrapping around at the ends', () => {
    expect([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(100, 1), nextSpeed(0.1, -1)]).toEqual([
      2, 0.5, 100, 0.1,
    ])
    const next = (at: number) => neighborOf([3, 7, 9], at, 1)
    const before = (at: number) => neighborOf([3, 7, 9], at, -1)
    expect([next(0), next(3), next(8), next(9)]).toEqual([3, 7, 9, 3])
    expect([before(0), before(3), before(8), before(12)]).toEqual([9, 9, 7, 9])
    expect(neighborOf([], 5, 1)).toBe(-1)
  })

  it('plays the visible range', () => {
    expect(playedViews(timeline, 6, undefined)).toEqual([0, 5])
    expect(playedViews(timeline, 6, [5, 100])).toEqual([1, 3])
    expect(playedViews(timeline, 3, [5, 100])).toEqual([1, 2])
  })
})
