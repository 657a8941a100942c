// The timeline: its columns, tracks and lanes match the records.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  FLAG,
  transferOf,
  LiveFeed,
  TimelineFeed,
  spansOf,
  type ActorEntry,
  type StateValue,
  type StepRecord,
} from '../../src/trace/index.ts'
import { Timeline } from '../../src/trace/timeline/timeline.ts'
import { actorEntries, traceSource, stepRecords } from '../ui/console-trace.ts'
import { density, errorsIn, pointsIn } from '../harness/lanes.ts'
import { assertProperty } from '../harness/volume.ts'

const actors = actorEntries(
  ['client', 'client'],
  ['client/session', 'session'],
  ['client/requests', 'requests'],
  ['client/requests/request.1', 'request'],
)

function timelineOf(steps: StepRecord[], who: ActorEntry[] = actors, batch = 3): Timeline {
  const feed = new LiveFeed(traceSource({ actors: who, steps }))
  do feed.advance(batch)
  while (feed.isBehind)
  return feed.timeline
}

const STATES: readonly (StateValue | undefined)[] = ['on', 'off', { a: 'x', b: { y: 'z' } }, undefined]

const anySteps = fc
  .array(
    fc.record({
      actor: fc.nat(3),
      type: fc.constantFrom('tick', 'went.wrong', 'load.failed'),
      state: fc.nat(3),
      status: fc.constantFrom('active', 'active', 'active', 'done', 'error'),
      back: fc.integer({ min: 0, max: 4 }),
      wait: fc.constantFrom(0, 0, 1, 7),
      changed: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map(steps => {
    let t = 0
    return stepRecords(
      steps.map(({ actor, type, state, status, back, wait, changed }, seq) => ({
        actor,
        type,
        status: status as StepRecord['status'],
        changed,
        t: (t += wait),
        ...(STATES[state] !== undefined && { value: STATES[state] }),
        ...(back > 0 && back <= seq && { by: seq - back }),
      })),
    )
  })

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

describe('Timeline', () => {
  it('returns for every step what its record contains, and finds causes, effects and neighbors', () => {
    assertProperty(
      fc.property(anySteps, fc.integer({ min: 1, max: 20 }), (steps, batch) => {
        const timeline = timelineOf(steps, actors, batch)
        expect(timeline.size).toBe(steps.length)
        steps.forEach((step, seq) => {
          expect({
            t: timeline.t(seq),
            actor: timeline.actor(seq),
            type: timeline.type(seq),
            status: timeline.status(seq),
            changed: timeline.changed(seq),
            by: timeline.by(seq),
            value: timeline.state(seq).value,
            previous: timeline.previous(seq),
            next: timeline.nextOf(step.actor, seq),
            effects: timeline.effects(seq),
          }).toEqual({
            t: step.t,
            actor: step.actor,
            type: step.event.type,
            status: step.status,
            changed: step.changed,
            by: step.by ?? -1,
            value: step.value,
            previous: steps.slice(0, seq).findLastIndex(({ actor }) => actor === step.actor),
            next: steps.findIndex(({ actor }, at) => at > seq && actor === step.actor),
            effects: steps.flatMap(({ by }, at) => (by === seq ? [at] : [])),
          })
        })
      }),
    )
  })

  it('marks failures, and the steps that changed state or status', () => {
    assertProperty(
      fc.property(anySteps, steps => {
        const timeline = timelineOf(steps)
        const failed = steps.filter(({ event, status }) => status === 'error' || event.type === 'load.failed')
        expect(timeline.failures).toEqual(failed.map(({ seq }) => seq))
        const moved = steps.filter(step => {
          const own = steps.filter(({ actor, seq }) => actor === step.actor && seq < step.seq)
          const last = own.at(-1)
          const ends = step.status !== 'active' && own.every(({ status }) => status === 'active')
          return !last || ends || !same(last.value, step.value)
        })
        const flagged = steps.filter(({ seq }) => (timeline.flags(seq) & FLAG.moved) !== 0)
        expect(flagged).toEqual(moved)
      }),
    )
  })

  it('counts how often a state was entered, forwards and backwards', () => {
    assertProperty(
      fc.property(anySteps, fc.array(fc.nat(60), { maxLength: 8 }), (steps, moments) => {
        const timeline = timelineOf(steps)
        for (const seq of moments) {
          let before: readonly string[] = []
          const counts = new Map<string, number>()
          for (const step of steps.filter(({ actor, seq: at }) => actor === 1 && at <= seq)) {
            const paths = timeline.state(step.seq).paths
            for (const path of paths)
              if (!before.includes(path)) counts.set(path, (counts.get(path) ?? 0) + 1)
            before = paths
          }
          expect(new Map(timeline.visits(1, seq))).toEqual(counts)
        }
      }),
    )
  })

  it('is the same from blocks that change threads', () => {
    const steps = stepRecords([
      { actor: 0, type: 'a', value: 'on', via: ['on#0'] },
      { actor: 1, type: 'b', value: { x: 'y' }, by: 0, from: 0 },
      { actor: 3, type: 'send.answered', value: 'on', from: 2, by: 1 },
    ])
    const feed = new TimelineFeed()
    feed.header(traceSource({ actors: [], steps: [] }).header)
    for (const actor of actors) feed.record(actor)
    const timeline = new Timeline()
    for (const step of steps) {
      feed.record(step)
      feed.record({ line: 'stimulus', seq: step.seq, t: step.t, kind: 'leaf', to: 0, from: 3 })
      const block = feed.flush()
      if (!block) throw new Error('there is a block')
      timeline.take(structuredClone(block, { transfer: transferOf(block) }))
    }
    feed.record({ line: 'bookmark', step: 1, note: 'here' })
    const last = feed.flush()
    if (last) timeline.take(last)
    expect(timeline.header?.system).toBe('test')
    expect([feed.flush(), timeline.version, timeline.via(0), timeline.from(2)]).toEqual([
      undefined,
      4,
      ['on#0'],
      2,
    ])
    expect(timeline.stimulus(2)).toEqual({ seq: 2, t: 20, kind: 'leaf', to: 0, from: 3 })
    expect(timeline.bookmarks).toEqual([{ line: 'bookmark', step: 1, note: 'here' }])
  })

  it('names faults and groups requests with their attempts', () => {
    const who = actorEntries(
      ['c', 'client'],
      ['c/request.1', 'request'],
      ['c/request.1/send', 'send'],
      ['c/socket', 'socket'],
    )
    const steps = stepRecords([
      { actor: 1, type: 'xstate.init' },
      { actor: 2, type: 'xstate.init' },
      { actor: 1, type: 'send.failed', from: 2 },
      { actor: 3, type: 'xstate.init' },
      { actor: 0, type: 'socket.opened', from: 3 },
    ])
    const [start, attempt, answer, ...rest] = steps as [StepRecord, StepRecord, StepRecord, ...StepRecord[]]
    const timeline = timelineOf(
      [
        { ...start, event: { ...start.event, input: { info: { method: 'POST', path: '/rest/v1/logs' } } } },
        { ...attempt, event: { ...attempt.event, input: { attempt: 1 } } },
        { ...answer, event: { ...answer.event, failure: { message: 'offline', faultId: 'squall#2' } } },
        ...rest,
      ],
      who,
    )
    expect([timeline.injections, timeline.faultOf(2), timeline.faultOf(1)]).toEqual([
      [2],
      'squall#2',
      undefined,
    ])
    expect(timeline.wire).toEqual([
      {
        id: 0,
        kind: 'request',
        actor: 1,
        seq: 0,
        method: 'POST',
        path: '/rest/v1/logs',
        start: 0,
        attempts: [{ actor: 2, seq: 1, start: 10, answered: 20, answer: 2, failure: 'offline' }],
      },
      {
        id: 1,
        kind: 'socket',
        actor: 3,
        seq: 3,
        method: 'GET',
        path: '/realtime/v1/websocket',
        start: 30,
        attempts: [{ actor: 3, seq: 3, start: 30, answered: 40, answer: 4, status: 101 }],
      },
    ])
  })
})

describe('lanes', () => {
  const door = stepRecords([
    { actor: 0, type: 'start', value: 'open', t: 0 },
    { actor: 0, type: 'shut', value: 'shut', t: 100 },
    { actor: 0, type: 'look', value: 'shut', t: 150 },
    { actor: 0, type: 'slam.failed', value: 'open', t: 200 },
    { actor: 0, type: 'shut', value: 'shut', t: 201 },
    { actor: 0, type: 'open', value: 'open', t: 202 },
    { actor: 0, type: 'gone', value: 'open', t: 400, status: 'done' },
    { actor: 1, type: 'on', value: 'on', t: 500 },
  ])

  it('shows the states of an actor as spans, and those narrower than a pixel as one', () => {
    const timeline = timelineOf(door)
    expect(spansOf(timeline, 0, 0, 500, 1000)).toEqual([
      { from: 0, to: 100, seq: 0, merged: 1 },
      { from: 100, to: 200, seq: 1, merged: 1 },
      { from: 200, to: 201, seq: 3, merged: 1 },
      { from: 201, to: 202, seq: 4, merged: 1 },
      { from: 202, to: 400, seq: 5, merged: 1 },
    ])
    expect(spansOf(timeline, 0, 0, 500, 100)).toEqual([
      { from: 0, to: 100, seq: 0, merged: 1 },
      { from: 100, to: 200, seq: 1, merged: 1 },
      { from: 200, to: 202, seq: 3, merged: 2 },
      { from: 202, to: 400, seq: 5, merged: 1 },
    ])
    expect(spansOf(timeline, 0, 120, 180, 100)).toEqual([{ from: 100, to: 200, seq: 1, merged: 1 }])
    expect(spansOf(timeline, 1, 0, 500, 100)).toEqual([{ from: 500, to: 500, seq: 7, merged: 1 }])
    expect(spansOf(timeline, 1, 0, 400, 100)).toEqual([])
  })

  it('shows an actor that never ended up to the end', () => {
    expect(spansOf(timelineOf(door.slice(0, 3)), 0, 0, 500, 10)).toEqual([
      { from: 0, to: 100, seq: 0, merged: 1 },
      { from: 100, to: 150, seq: 1, merged: 1 },
    ])
  })

  it('shows points, and those closer than a pixel as one', () => {
    expect(pointsIn(timelineOf(door), 0, 100, 300, 20)).toEqual([
      { t: 100, seq: 1, merged: 1 },
      { t: 150, seq: 2, merged: 1 },
      { t: 200, seq: 5, merged: 3 },
    ])
  })

  it('never returns more than fit, covers the time without overlaps, and counts every step once', () => {
    assertProperty(
      fc.property(anySteps, fc.integer({ min: 1, max: 30 }), (steps, most) => {
        const timeline = timelineOf(steps)
        const spans = spansOf(timeline, 0, 0, timeline.end, most)
        expect(spans.length).toBeLessThanOrEqual(2 * most + 2)
        for (const [at, span] of spans.slice(1).entries()) expect(span.from).toBe(spans[at]?.to)
        const points = pointsIn(timeline, 0, 0, timeline.end, most)
        expect(points.reduce((sum, { merged }) => sum + merged, 0)).toBe(timeline.stepsOf(0).length)
        const { counts, failed } = density(timeline, 0, timeline.end, most)
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(steps.length)
        expect(failed.reduce((sum, count) => sum + count, 0)).toBe(timeline.failures.length)
      }),
    )
  })

  it('finds failures within times, up to the given limit', () => {
    const timeline = timelineOf(door)
    expect([errorsIn(timeline, 0, 500), errorsIn(timeline, 201, 500)]).toEqual([[3], []])
    const many = timelineOf(stepRecords(Array.from({ length: 100 }, () => ({ actor: 0, type: 'x.failed' }))))
    expect(errorsIn(many, 0, 1000, 10)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90])
  })
})
