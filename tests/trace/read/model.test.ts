// The model of a trace file: however the file is packed, it gives the same data as the trace read as a whole.
import { gzipSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type ReadOptions, readTrace } from '../../../src/trace/read/read-file.ts'
import {
  type ReplayableTrace,
  type StepRecord,
  openTrace,
  type TraceModel,
  type ByteInput,
} from '../../../src/trace/index.ts'
import { join, packLines } from '../../../src/trace/read/gzip.ts'
import { stormyRun } from '../../harness/recorded-run.ts'

let lines: string[] = []
let members = new Uint8Array()
let whole: ReplayableTrace

beforeAll(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  lines = stormyRun(3, 60).lines()
  members = await packed(lines)
  const read = await readTrace(members)
  if (read.kind !== 'trace') throw new Error(read.message)
  whole = read.trace
})

/** As a store writes them: some lines at a time. */
async function packed(all: readonly string[]) {
  const parts: Uint8Array[] = []
  for (let at = 0; at < all.length; at += 25) parts.push(await packLines(all.slice(at, at + 25)))
  return join(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0),
  )
}

async function open(input: ByteInput, options: ReadOptions = {}): Promise<TraceModel> {
  const result = await openTrace(input, options)
  if (result.kind !== 'opened') throw new Error(result.message)
  return result.model
}

const text = (all: readonly string[]) => new TextEncoder().encode(`${all.join('\n')}\n`)

/** The last step of every actor up to this one, without ended actors and their descendants. */
function statesAt({ steps, actors }: ReplayableTrace, seq: number) {
  const last = new Map<number, StepRecord>()
  for (const step of steps.slice(0, seq + 1))
    if (step.event.type !== 'chartroom.lost') last.set(step.actor, step)
  const isLiving = (actor: number | undefined): boolean =>
    actor === undefined ||
    ((last.get(actor)?.status ?? 'active') === 'active' && isLiving(actors[actor]?.parent))
  return [...last]
    .filter(([actor]) => isLiving(actor))
    .sort(([a], [b]) => a - b)
    .map(([actor, step]) => ({ actor, step }))
}

describe('a trace', () => {
  const forms: [string, () => ByteInput, ReadOptions?][] = [
    ['in members', () => members],
    ['in members, unpacked by Node', () => members, { unpack: gunzipSync }],
    ['in members, as a file of the browser', () => new Blob([members])],
    ['as other tools pack it', () => new Uint8Array(gzipSync(text(lines)))],
    [
      'as other tools concatenate packed files',
      () =>
        new Uint8Array(
          Buffer.concat([gzipSync(text(lines.slice(0, 999))), gzipSync(text(lines.slice(999)))]),
        ),
    ],
    ['as plain text', () => text(lines)],
    ['as plain text with Windows line endings', () => text(lines.map(line => `${line}\r`))],
  ]
  test.each(forms)('%s returns every record by its number', async (_name, input, options) => {
    const model = await open(input(), options)
    const { steps, stimuli, tape, keyframes, actors, header, end } = whole
    expect([model.header, model.actors, model.end, model.damage]).toEqual([header, actors, end, []])
    expect(await model.readSteps(0, model.steps.length)).toEqual(steps)
    expect(await model.readStimuli(0, model.stimuli.length)).toEqual(stimuli)
    expect(await model.readTape(0, model.tapeLength)).toEqual(tape)
    expect(await Promise.all(model.keyframes.map((_, at) => model.keyframe(at)))).toEqual(keyframes)
    for (let seq = 0; seq < steps.length; seq += 97)
      expect(await model.stateAt(seq)).toEqual(statesAt(whole, seq))
    const [first] = await model.stateAt(steps.length >> 1, new Set([0]))
    expect(first?.actor).toBe(0)
  })
})

test('columns describe every step and stimulus without decoding it', async () => {
  const { steps, stimuli } = await open(members)
  const seen = whole.steps.map(({ seq }) => ({
    seq,
    t: steps.t(seq),
    actor: steps.actor(seq),
    cause: steps.cause(seq),
    type: steps.type(seq),
    status: steps.status(seq),
    changed: steps.changed(seq),
  }))
  expect(seen).toEqual(
    whole.steps.map(({ seq, t, actor, cause, event, status, changed }) => ({
      seq,
      t,
      actor,
      cause,
      type: event.type,
      status,
      changed,
    })),
  )
  expect(whole.stimuli.map(({ seq }) => [stimuli.t(seq), stimuli.to(seq), stimuli.kind(seq)])).toEqual(
    whole.stimuli.map(({ t, to, kind }) => [t, to, kind]),
  )
  const t = whole.steps[500]?.t ?? 0
  expect(steps.countAt(t)).toBe(whole.steps.filter(step => step.t <= t).length)
})

describe('a damaged trace', () => {
  const flipped = (at: number) => members.with(at, (members[at] ?? 0) ^ 0x10)
  const cases: [string, () => Uint8Array][] = [
    ['truncated', () => members.subarray(0, members.length * 0.6)],
    ['with a flipped bit', () => flipped(members.length >> 1)],
    [
      'with many flipped bits',
      () => Uint8Array.from(members, (byte, at) => (at > 20_000 && at % 9973 === 0 ? byte ^ 1 : byte)),
    ],
    [
      'with a part removed',
      () => {
        const half = members.length >> 1
        return new Uint8Array([...members.subarray(0, half), ...members.subarray(half + 10_000)])
      },
    ],
    ['with invalid lines', () => text(lines.map((line, at) => (at % 300 === 299 ? line.slice(9) : line)))],
    [
      'with duplicated lines',
      () => text(lines.flatMap((line, at) => (at % 300 === 299 ? [line, line] : [line]))),
    ],
    ['with swapped lines', () => text(lines.map((line, at) => lines[at < 500 ? at : at ^ 1] ?? line))],
  ]
  test.each(cases)('%s returns the same as when it is read as a whole', async (_name, damaged) => {
    const bytes = damaged()
    const [model, read] = [await open(bytes), await readTrace(bytes)]
    if (read.kind !== 'trace') throw new Error(read.message)
    const { steps, stimuli, damage } = read.trace
    expect(damage.length).toBeGreaterThan(0)
    expect(model.damage).toEqual(damage)
    expect(steps.length).toBeGreaterThan(whole.steps.length / 3)
    expect(await model.readSteps(0, model.steps.length)).toEqual(steps)
    expect(await model.readStimuli(0, model.stimuli.length)).toEqual(stimuli)
    for (let seq = 0; seq < steps.length; seq += 397)
      expect(await model.stateAt(seq)).toEqual(statesAt(read.trace, seq))
  })
})

test('missing numbers are reported', async () => {
  const model = await open(members)
  await expect(model.step(model.steps.length)).rejects.toThrow(/^\d+ is out of range: the length is \d+$/)
  await expect(model.stateAt(-1)).rejects.toThrow(RangeError)
  await expect(model.stimulus(0.5)).rejects.toThrow(RangeError)
})

test('opening reports its progress, and can be stopped', async () => {
  const shares: number[] = []
  await open(members, { onProgress: share => void shares.push(share) })
  expect(shares.length).toBeGreaterThan(10)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBe(1)
  const abort = new AbortController()
  const reading = openTrace(members, {
    signal: abort.signal,
    onProgress: () => abort.abort(new Error('enough')),
  })
  await expect(reading).rejects.toThrow('enough')
})
