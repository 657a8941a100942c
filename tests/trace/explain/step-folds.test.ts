// The folded log: which steps belong to which event, decided by a person who read the recordings; and no step is lost.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sendTo, setup, type AnyEventObject, fromCallback } from 'xstate'
import { StepFolds } from '../../../src/trace/explain/step-folds.ts'
import { LiveFeed, type TraceSource } from '../../../src/trace/index.ts'
import { record } from '../../../src/services/recording/index.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { recordGenerated } from '../../harness/generated-run.ts'
import { foreignTrace, inspectedRun } from '../../harness/inspected.ts'
import { runOrdinary } from '../../harness/ordinary-run.ts'
import { stormyRun } from '../../harness/recorded-run.ts'
import { stored } from '../../harness/timeline.ts'
import { assertProperty } from '../../harness/volume.ts'
import { both, clientTrace, request, sends, wait } from './corpus/situation.ts'
import { microwave, ping } from './corpus/stranger-machines.ts'
import { cutTrace } from './cut-trace.ts'

function folded(trace: TraceSource) {
  const feed = new LiveFeed(trace)
  feed.advance(Infinity)
  const folds = new StepFolds(feed.timeline)
  folds.advance(feed.timeline.size, Infinity)
  const text = (seq: number) => {
    const { actor, event } = trace.steps[seq] ?? { actor: 0, event: { type: '' } }
    return `${trace.actors[actor]?.path.split('/').at(-1)} ${event.type}`
  }
  const find = (wanted: string) => trace.steps.findIndex(({ seq }) => text(seq) === wanted)
  return {
    folds,
    /** The rows of the folded log. */
    rows: () => folds.shown.map(text),
    /** What is folded into the first step with this text. */
    in: (wanted: string) => folds.stepsIn(find(wanted)).map(text),
    isSeries: (wanted: string) => folds.isSeries(find(wanted)),
  }
}

describe('a client', () => {
  const trace = clientTrace([stored(3_000)], both(wait(10), request(), wait(100_000)))
  const log = folded(trace)

  test('a request is one line until it is answered', () => {
    expect(log.in('client request.start')).toEqual([
      'requests request.start',
      'request.r xstate.init',
      'send xstate.init',
    ])
    expect(log.in('request.r send.answered')).toEqual(['send xstate.stop'])
    expect(log.in('requests request.settled')).toEqual(['client request.settled', 'request.r xstate.stop'])
  })

  test('the start of the client is one line', () => {
    expect(log.in('client xstate.init')).toEqual([
      'refresh xstate.init',
      'requests xstate.init',
      'tab xstate.init',
      'tabs xstate.init',
      'apiKey xstate.init',
      'environment xstate.init',
      'session xstate.init',
      'detectUrl xstate.init',
    ])
  })

  test('an event that is passed on stays where it changes a state', () => {
    expect(log.rows()).toContain('refresh session.started')
    expect(log.rows()).toContain('tab session.started')
    expect(log.in('client environment.changed')).toEqual([
      'tab environment.changed',
      'refresh environment.changed',
      'requests environment.changed',
      'apiKey environment.changed',
    ])
  })

  test('ticks are one line', () => {
    // One of the session's start belongs to it; the others came after 30, 60 and 90 s.
    expect(log.in('refresh session.started')).toEqual(['ticker xstate.init', 'refresh clock.tick'])
    expect(log.rows().filter(row => row === 'refresh clock.tick')).toHaveLength(1)
    expect(log.folds.stepsIn(log.folds.shown.at(-1) ?? -1)).toHaveLength(2)
    expect(log.folds.isSeries(log.folds.shown.at(-1) ?? -1)).toBe(true)
    expect(log.isSeries('client request.start')).toBe(false)
  })

  test('what happens between ticks keeps them apart', () => {
    const rows = folded(
      clientTrace([stored(3_000)], both(wait(70_000), sends({ type: 'refresh.request' }), wait(70_000))),
    ).rows()
    const ticks = rows.flatMap((row, at) => (row === 'refresh clock.tick' ? [at] : []))
    const refreshed = rows.indexOf('client refresh.request')
    expect(ticks.filter(at => at < refreshed)).toHaveLength(1)
    expect(ticks.filter(at => at > refreshed)).not.toEqual([])
  })
})

describe('machines of other people', () => {
  const recorded = (send: readonly AnyEventObject[], logic: Parameters<typeof record>[0]) => {
    const { actor, trace } = record(logic, { clock: createVirtualClock(), system: 'stranger' })
    actor.start()
    for (const event of send) actor.send(event as never)
    return trace
  }

  test('starts and stops of effects', () => {
    const log = folded(recorded([{ type: 'POWER' }], microwave))
    expect(log.rows()).toEqual([
      'microwave xstate.init',
      'microwave POWER',
      'microwave TICK',
      'microwave TICK',
    ])
    expect(log.in('microwave POWER')).toEqual(['timer xstate.init'])
  })

  test('commands to effects, and forwarded events', () => {
    const lamp = setup({ actors: { relay: fromCallback(() => () => undefined) } }).createMachine({
      id: 'lamp',
      initial: 'off',
      states: { off: {}, on: {} },
    })
    const house = setup({ actors: { lamp, relay: fromCallback(() => undefined) } }).createMachine({
      id: 'house',
      invoke: [
        { id: 'lamp', src: 'lamp' },
        { id: 'relay', src: 'relay' },
      ],
      on: {
        dim: { actions: sendTo('lamp', ({ event }) => event) },
        buzz: { actions: sendTo('relay', { type: 'ring' }) },
      },
    })
    const log = folded(recorded([{ type: 'dim' }, { type: 'buzz' }], house))
    expect(log.rows()).toEqual(['house xstate.init', 'house dim', 'house buzz'])
    expect(log.in('house dim')).toEqual(['lamp dim'])
    expect(log.in('house buzz')).toEqual(['relay ring'])
  })

  test('a recording over Stately’s protocol', async () => {
    const { messages } = await inspectedRun(ping, root => root.send({ type: 'SERVE' }))
    const log = folded(foreignTrace(messages))
    expect(log.rows()).toEqual(['ping xstate.init', 'ping SERVE', 'pong PING', 'ping PONG'])
    expect(log.in('ping xstate.init')).toEqual(['pong xstate.init'])
  })

  test('snapshots that a parent receives', async () => {
    const log = folded((await recordGenerated(3)).recording.trace)
    expect(log.rows().filter(row => row.includes('xstate.snapshot.'))).toEqual([])
  })
})

const isLife = (type: string) => type === 'xstate.init' || type === 'xstate.stop'

/** Checks the folds of a trace against its records. */
function expectWhole(trace: TraceSource, batch: number): void {
  const feed = new LiveFeed(trace)
  const folds = new StepFolds(feed.timeline)
  while (folds.size < trace.steps.length) {
    feed.advance(batch)
    folds.advance(feed.timeline.size, batch)
  }
  const inside = folds.shown.flatMap(head => folds.stepsIn(head))
  const all = [...folds.shown, ...inside].sort((a, b) => a - b)
  expect(all).toEqual(trace.steps.map(({ seq }) => seq))
  expect(folds.shown).toEqual([...folds.shown].sort((a, b) => a - b))
  // A person looks for states and failures.
  const last = new Map<number, string>()
  const hidden = new Set(inside)
  const missed = trace.steps.filter(({ seq, actor, value, status, event }) => {
    const state = JSON.stringify([value, status])
    const isMoved = last.get(actor) !== state && !isLife(event.type)
    last.set(actor, state)
    return hidden.has(seq) && (isMoved || status === 'error')
  })
  expect(missed).toEqual([])
  const atOnce = folded(trace).folds
  expect(trace.steps.map(({ seq }) => folds.headOf(seq))).toEqual(
    trace.steps.map(({ seq }) => atOnce.headOf(seq)),
  )
}

const BATCH = fc.integer({ min: 1, max: 200 })

test('each step of a client in a storm has one place, in order, however the recording grows', () =>
  assertProperty(
    fc.property(fc.nat(10_000), BATCH, fc.nat(90), (seed, batch, percent) => {
      const { trace } = stormyRun(seed, 25)
      expectWhole(trace, batch)
      expectWhole(cutTrace(trace, Math.floor((trace.steps.length * percent) / 100)), batch)
    }),
    { numRuns: 4 },
  ))

test('each step of a system of other people has one place, in order', () =>
  assertProperty(
    fc.asyncProperty(fc.nat(10_000), BATCH, async (seed, batch) => {
      expectWhole((await recordGenerated(seed)).recording.trace, batch)
      const ordinary = (await runOrdinary(seed, true)).recording
      if (ordinary) expectWhole(ordinary.trace, batch)
    }),
    { numRuns: 10 },
  ))
