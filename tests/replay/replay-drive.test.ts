// Drives: a recording against machines that changed; stimuli that fit are placed, and the rest is reported.
import { fromPromise, raise, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import {
  drive,
  type DriveOptions,
  makeDrive,
  type DriveReport,
  verify,
} from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { encodeFile, encodeLines } from '../../src/trace/write/encode.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { kettleMachine, recordedKettle, type KettleVersion } from '../harness/kettle.ts'

type Driven = Exclude<DriveReport, { outcome: 'unusable' }>

function driven(trace: ReplayableTrace, version: KettleVersion = {}, options: DriveOptions = {}): Driven {
  const report = drive(trace, { kettle: kettleMachine(version) }, options)
  if (report.outcome === 'unusable') throw new Error(report.reason)
  return report
}

const root = ({ final }: Driven) => final.find(({ actor }) => actor === 'kettle')

test('the same machines give the same result', async () => {
  const trace = await recordedKettle()
  expect(driven(trace)).toEqual({
    outcome: 'same',
    system: 'kettle',
    stimuli: trace.stimuli.length,
    steps: trace.steps.length,
    machines: [],
    changes: [],
    damage: [],
    placed: trace.stimuli.length,
    later: { items: [], more: 0 },
    unplaced: { items: [], more: 0 },
    waits: { items: [], more: 0 },
    unrecorded: { items: [], more: 0 },
    delays: { items: [], more: 0 },
    missingReadings: 0,
    impossible: [],
    final: [
      { actor: 'kettle', was: last(trace, 'kettle'), is: last(trace, 'kettle'), isSame: true },
      { actor: 'kettle/stove', was: { status: 'active' }, is: { status: 'active' }, isSame: true },
    ].map(one => expect.objectContaining(one) as unknown),
  })
})

/** The last recorded state of an actor. */
function last({ steps, actors }: ReplayableTrace, path: string) {
  const step = steps.findLast(({ actor }) => actors[actor]?.path === path)
  return { status: step?.status, value: step?.value, context: step?.context }
}

describe('effects are matched by their input', () => {
  test('in whatever order they start now; a response that came before has no place', async () => {
    const trace = await recordedKettle({ cups: ['a', 'b'] })
    expect(last(trace, 'kettle').context).toMatchObject({
      poured: ['water for a', 'water for b', 'water for a', 'water for b'],
    })
    const report = driven(trace, { cups: ['b', 'a'] })
    expect(root(report)?.is?.context).toEqual({ poured: ['water for b', 'water for a'], left: [], heat: 90 })
    expect(report.unplaced.items.map(({ from, why }) => `${from}: ${why}`)).toEqual([
      'kettle/water: no actor kettle/water is running',
      'kettle/water#4: no actor kettle/water#4 is running',
      'kettle/stove: the code that sent this never ran',
    ])
  })

  test('one that never started is waited for, and its remaining stimuli have no place', async () => {
    const report = driven(await recordedKettle(), { asksFirst: true })
    expect(report.waits).toEqual({
      items: [{ actor: 'kettle/mains', src: 'mains', since: expect.any(Number) as number }],
      more: 0,
    })
    expect(report.unplaced.items[0]).toMatchObject({
      kind: 'leaf',
      from: 'kettle/water',
      event: 'xstate.promise.resolve',
      why: 'no actor kettle/water is running',
    })
    expect(report.first).toMatchObject({
      expected: { actor: 'kettle', event: 'fill', state: 'filling' },
      got: { actor: 'kettle', event: 'fill', state: 'asking' },
      cause: { actor: 'kettle', was: [{ name: 'cold#0', event: 'fill', targets: ['filling'] }] },
    })
    expect(report.first?.cause?.is).toMatchObject([{ name: 'cold#0', targets: ['asking'] }])
    expect(root(report)).toMatchObject({ was: { value: 'cold' }, is: { value: 'asking' }, isSame: false })
  })

  test('a new one that is not waited for changes nothing else', async () => {
    const trace = await recordedKettle()
    const report = driven(trace, { hasLid: true })
    expect(report.placed).toBe(trace.stimuli.length)
    expect(report.waits.items).toEqual([{ actor: 'kettle/lid', src: 'lid', since: -1 }])
    expect(report.later.items.map(({ actor }) => actor)).toEqual(['kettle/lid'])
  })
})

describe('timers are matched by their actor and purpose', () => {
  test('another delay is a difference, and the timer fires as recorded', async () => {
    const report = driven(await recordedKettle(), { keepsWarm: 90 })
    expect(report.delays.items).toEqual([
      {
        seq: expect.any(Number) as number,
        actor: 'kettle',
        event: 'xstate.after.100.kettle.boiling',
        was: 100,
        is: 90,
      },
    ])
    expect(report.first?.cause).toMatchObject({
      was: [{ name: 'boiling#1', event: 'after 100' }],
      is: [{ name: 'boiling#1', event: 'after 90' }],
    })
  })

  test('a timer that is due but was not recorded fires anyway', async () => {
    const trace = await recordedKettle()
    const report = driven(trace, { stops: false, keepsWarm: 45 })
    expect(report.unrecorded.items.map(({ event }) => event)).toContain('xstate.after.45.kettle.boiling')
    expect(root(report)?.is?.value).toBe('cold')
  })
})

describe('edits', () => {
  test('stimuli that are left out, changed or inserted are driven as if recorded that way', async () => {
    const trace = await recordedKettle()
    const seq = (type: string, n: number) =>
      trace.stimuli.filter(({ event }) => (event as { type?: string })?.type === type)[n]?.seq ?? -1
    const value = (options: DriveOptions) => root(driven(trace, {}, options))?.is?.value
    expect(value({})).toBe('cold')
    expect(value({ edits: [{ edit: 'drop', seq: seq('stop', 0) }] })).toBe('boiling')
    expect(value({ edits: [{ edit: 'change', seq: seq('stop', 0), event: { type: 'nope' } }] })).toBe(
      'boiling',
    )
    expect(value({ edits: [{ edit: 'insert', before: 9999, event: { type: 'fill' } }] })).toBe('filling')
    expect(value({ keep: ({ kind }) => kind !== 'external' })).toBe('cold')
    expect(
      driven(trace, {}, { edits: [{ edit: 'insert', before: 0, event: { type: 'x' }, to: 'nobody' }] })
        .impossible,
    ).toEqual(['no recorded actor nobody to send x to'])
  })

  test('the result is a recording that replays exactly', async () => {
    const trace = await recordedKettle()
    const { trace: made } = makeDrive(
      trace,
      { kettle: kettleMachine({ asksFirst: true }) },
      { edits: [{ edit: 'insert', before: 2, event: { type: 'stop' } }] },
    )
    if (!made) throw new Error('nothing was made')
    expect(made.stimuli.length).toBeGreaterThan(0)
    expect(verify(made, { kettle: kettleMachine({ asksFirst: true }) })).toMatchObject({
      outcome: 'exact',
      compared: made.steps.length,
    })
  })
})

test('each stimulus is reported, and the drive can be stopped', async () => {
  const trace = await recordedKettle()
  const reported: [number, boolean, unknown][] = []
  makeDrive(
    trace,
    { kettle: kettleMachine({ asksFirst: true }) },
    {
      compare: false,
      onStep: ({ stimulus, isPlaced, actor }) => {
        reported.push([stimulus.seq, isPlaced, (actor.getSnapshot() as { value: unknown }).value])
        return reported.length < 3
      },
    },
  )
  expect(reported).toEqual([
    [0, true, 'asking'],
    [1, false, 'asking'],
    [2, false, 'asking'],
  ])
  const control = new AbortController()
  control.abort()
  expect(driven(trace, {}, { signal: control.signal }).placed).toBe(0)
})

test('a file without steps is compared by its hashes, and a truncated one up to where it ends', async () => {
  const trace = await recordedKettle()
  const read = async (file: Uint8Array) => {
    const result = await readTrace(file)
    if (result.kind !== 'trace') throw new Error(result.message)
    return result.trace
  }
  const bare = await read(await encodeFile(trace, { steps: false }))
  expect(bare.steps).toEqual([])
  expect(driven(bare).outcome).toBe('same')
  expect(driven(bare, { stops: false }).first?.problem).toBe(
    'the steps of kettle so far differ from the recording',
  )
  const lines = [...encodeLines(trace)]
  const cut = await read(new TextEncoder().encode(lines.slice(0, -6).join('\n')))
  expect(cut.damage).not.toEqual([])
  expect(driven(cut)).toMatchObject({ outcome: 'same', damage: cut.damage })
})

test('a step that does not end is aborted and reported', () => {
  const wheel = (spins: boolean) =>
    setup({ types: { events: {} as { type: 'push' | 'turn' } } }).createMachine({
      id: 'wheel',
      on: {
        push: { actions: raise({ type: 'turn' }) },
        turn: spins ? { actions: raise({ type: 'turn' }) } : {},
      },
    })
  const { actor, trace } = record(wheel(false))
  actor.start()
  actor.send({ type: 'push' })
  actor.send({ type: 'push' })
  const report = drive(trace, { wheel: wheel(true) })
  expect(report).toMatchObject({
    outcome: 'differs',
    unplaced: { items: [{ seq: 0, why: 'its step does not end' }], more: 0 },
  })
})

test('no content of a trace makes it throw', async () => {
  const trace = await recordedKettle()
  const broken: ReplayableTrace[] = [
    { ...trace, actors: [] },
    { ...trace, actors: trace.actors.slice(0, 1) },
    { ...trace, stimuli: trace.stimuli.map(one => ({ ...one, to: 77, from: 78 })) },
    { ...trace, stimuli: trace.stimuli.map(one => ({ ...one, event: 7 })) },
    { ...trace, stimuli: trace.stimuli.toReversed() },
    { ...trace, steps: [] },
    { ...trace, steps: trace.steps.toReversed() },
    { ...trace, header: { ...trace.header, machines: {} } },
    { ...trace, header: { ...trace.header, system: '__proto__' } },
  ]
  for (const one of broken)
    expect(['same', 'differs', 'unusable']).toContain(drive(one, { kettle: kettleMachine() }).outcome)
})

test('an effect that is requested again after its last response is a new one, which waits', async () => {
  const asking = (isPatient: boolean) =>
    setup({ actors: { ask: fromPromise(() => Promise.reject(new Error('no'))) } }).createMachine({
      id: 'asking',
      initial: 'asks',
      states: {
        asks: { invoke: { src: 'ask', id: 'ask', onError: isPatient ? 'rests' : 'gaveUp' } },
        rests: { after: { 1000: 'asks' } },
        gaveUp: {},
      },
    })
  const clock = createVirtualClock()
  const { actor, trace } = record(asking(false), { clock })
  actor.start()
  await clock.advanceAsync(5000)
  actor.send({ type: 'look' })
  const report = drive(trace, { asking: asking(true) })
  if (report.outcome !== 'differs') throw new Error(report.outcome)
  expect(report.final.filter(({ isSame }) => !isSame)).toMatchObject([
    { actor: 'asking', was: { value: 'gaveUp' }, is: { value: 'asks' } },
    { actor: 'asking/ask#2', is: { status: 'active' } },
  ])
  expect(report.waits.items).toEqual([{ actor: 'asking/ask#2', src: 'ask', since: 0 }])
})
