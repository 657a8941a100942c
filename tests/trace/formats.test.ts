// Files of every format are read and replayed, and files of the current one are in order.
import { readFile, readdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ReplayRun, verify } from '../../src/services/replay/index.ts'
import type { SystemParts } from '../../src/services/runtime/index.ts'
import { behaviorHash, type ReplayableTrace, openTrace } from '../../src/trace/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { createLineEncoder, encodeFile, encodeLines } from '../../src/trace/write/encode.ts'
import type { KeyframeRecord, StepRecord, TapeEntry, TraceRecord } from '../../src/trace/format/records.ts'
import { lamp } from '../harness/lamp.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'
import { stepsOf } from '../harness/steps.ts'

const KEPT = new URL('formats/', import.meta.url).pathname
const kept = (await readdir(KEPT)).sort()

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())
afterEach(() => void vi.restoreAllMocks())

async function read(file: Uint8Array | string): Promise<ReplayableTrace> {
  const result = await readTrace(file)
  if (result.kind !== 'trace') throw new Error(result.message)
  return result.trace
}

const records = ({ version: _v, subscribe: _s, ...rest }: ReplayableTrace) => rest

const systems = { lamp: ({ env }: SystemParts) => lamp(env) }

describe('a stored trace', () => {
  test('exists for each format', () => {
    expect(kept).toEqual(['format-1-keyframe.jsonl.gz', 'format-1-lean.jsonl.gz', 'format-1.jsonl.gz'])
  })

  test.each(kept)('%s is read, replays exactly, and is written in the current format', async name => {
    const file = await readFile(KEPT + name)
    const trace = await read(file)
    expect(trace.damage).toEqual([])
    expect(trace.header.format).toBe(1)
    expect(verify(trace, systems)).toMatchObject({ outcome: 'exact', compared: trace.steps.length })
    const again = await read(await encodeFile(trace))
    expect(records(again)).toEqual(records(trace))
    const opened = await openTrace(file)
    if (opened.kind !== 'opened') throw new Error(opened.message)
    expect(await opened.model.readSteps(0, trace.steps.length)).toEqual(trace.steps)
    expect(await Promise.all(opened.model.keyframes.map((_, at) => opened.model.keyframe(at)))).toEqual(
      trace.keyframes,
    )
  })

  test('contains the same run with and without steps', async () => {
    const steps = async (name: string) => {
      const trace = await read(await readFile(KEPT + name))
      const run = new ReplayRun(trace, systems.lamp)
      run.start()
      for (const stimulus of trace.stimuli) run.step(stimulus)
      // Only steps that are derived have outputs: the other file is older.
      return stepsOf(run.trace).map(step => ({ ...(step as StepRecord), outputs: undefined }))
    }
    expect(await steps('format-1-lean.jsonl.gz')).toEqual(await steps('format-1.jsonl.gz'))
  })

  test('of a machine that changed since opens, and a replay names the machine', async () => {
    const trace = await read(await readFile(`${KEPT}format-1.jsonl.gz`))
    const { lamp: chart } = trace.header.machines
    if (!chart) throw new Error('the trace has no lamp')
    const root = { ...chart.root, entry: ['removedSince'] }
    const machines = { ...trace.header.machines, lamp: { ...chart, root, hash: behaviorHash(root) } }
    const file = await encodeFile({ ...trace, header: { ...trace.header, machines } })
    const opened = await openTrace(file)
    if (opened.kind !== 'opened') throw new Error(opened.message)
    expect(await opened.model.readSteps(0, trace.steps.length)).toEqual(trace.steps)
    expect(verify(await read(file), systems)).toMatchObject({
      outcome: 'exact',
      machines: [{ id: 'lamp', difference: 'changed' }],
    })
  })
})

const parsed = (lines: readonly string[]) => lines.map(line => JSON.parse(line) as TraceRecord)

describe('a running recording', () => {
  async function recorded(seed: number) {
    const { recorder, drive } = createRandomRun(seed)
    const encoder = createLineEncoder(recorder.trace)
    recorder.start()
    const lines: string[] = []
    for (let at = 0; at < 10; at++) {
      await drive(4)
      lines.push(...encoder.next())
    }
    return { recorder, drive, encoder, lines }
  }

  test('is written incrementally as it would be at once, and not twice', async () => {
    for (let seed = 0; seed < 8; seed++) {
      const { recorder, encoder, lines } = await recorded(seed)
      expect(encoder.next()).toEqual([])
      recorder.stop()
      lines.push(...encoder.end())
      expect(lines).toEqual([...encodeLines(recorder.trace)])
      expect(encoder.began).toBe(1)
    }
  })

  test('that restarts begins a new file', async () => {
    const { recorder, drive, encoder } = await recorded(3)
    recorder.startRecording()
    await drive(3)
    const lines = encoder.next()
    expect(encoder.began).toBe(2)
    expect(parsed(lines.slice(0, 1))).toMatchObject([{ line: 'header', format: 1 }])
    recorder.stop()
    const trace = await read([...lines, ...encoder.end()].join('\n'))
    expect([trace.damage, stepsOf(trace)]).toEqual([[], stepsOf(recorder.trace)])
  })

  test('is written in the order of events', async () => {
    for (let seed = 20; seed < 28; seed++) {
      const { recorder, encoder, lines } = await recorded(seed)
      recorder.stop()
      expect(outOfOrder(parsed([...lines, ...encoder.end()]))).toEqual([])
      expect(lines.length).toBeGreaterThan(100)
    }
  })
})

/** The records that precede a record that they describe. */
function outOfOrder(records: readonly TraceRecord[]): TraceRecord[] {
  const seen = { actor: 0, stimulus: 0, step: 0, tape: 0 }
  let step = -1
  return records.filter(record => {
    const isRight = {
      step: ({ actor, from = 0, cause }: StepRecord) =>
        Math.max(actor, from) < seen.actor && cause < seen.stimulus && cause >= step,
      // Before its step, of which its stimulus is the first or an anchored one.
      tape: ({ at = -1 }: TapeEntry) => at >= seen.stimulus - 1,
      keyframe: ({ at, steps, tape }: KeyframeRecord) =>
        at === seen.stimulus && steps === seen.step && tape === seen.tape,
    }
    const right =
      record.line === 'step'
        ? isRight.step(record)
        : record.line === 'tape'
          ? isRight.tape(record)
          : record.line !== 'keyframe' || isRight.keyframe(record)
    if (record.line === 'stimulus' && !record.anchor) step = record.seq
    if (record.line in seen) seen[record.line as keyof typeof seen] += 1
    return !right
  })
}

test('hashes of a file without steps stay in proportion, and detect a change', async () => {
  const { recorder, drive } = createRandomRun(5)
  recorder.start()
  await drive(600)
  recorder.stop()
  const lines = [...encodeLines(recorder.trace, { steps: false })]
  const hashes = lines.filter(line => line.startsWith('{"line":"hash"'))
  const { steps, actors } = recorder.trace
  expect(actors.length).toBeGreaterThan(250)
  expect(hashes.join('').length).toBeLessThan(30 * steps.length)
  const trace = await read(lines.join('\n'))
  expect(verify(trace, randomSystem())).toMatchObject({ outcome: 'exact' })
  expect(verify(trace, randomSystem(7))).toMatchObject({ outcome: 'diverged' })
})
