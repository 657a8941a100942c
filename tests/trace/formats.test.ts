// Every format that was ever written is still read and replayed, and files of the present one are in order.
import { readFile, readdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ReplayRun } from '../../src/services/replay/replay-run.ts'
import { verify } from '../../src/services/replay/verify.ts'
import type { SystemParts } from '../../src/services/system-parts.ts'
import { readTrace } from '../../src/trace/decode.ts'
import { createLineEncoder, encodeFile, encodeLines } from '../../src/trace/encode.ts'
import type { ReplayableTrace, TraceRecord } from '../../src/trace/format.ts'
import { openTrace } from '../../src/trace/model/open-trace.ts'
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

const systems = { lamp: ({ env }: SystemParts) => lamp(env) }

describe('a kept trace', () => {
  test('is there of each format', () => {
    expect(kept).toEqual([
      'format-1-keyframe.jsonl.gz',
      'format-1.jsonl.gz',
      'format-2-keyframe.jsonl.gz',
      'format-2.jsonl.gz',
    ])
  })

  test.each(kept)('%s is read, replays exactly, and is written in the present format', async name => {
    const file = await readFile(KEPT + name)
    const trace = await read(file)
    expect(trace.damage).toEqual([])
    expect(trace.header.format).toBe(2)
    expect(verify(trace, systems)).toMatchObject({ outcome: 'exact', compared: trace.views.length })
    const again = await read(await encodeFile(trace))
    expect({ ...again, hashes: [], version: 0, subscribe: 0 }).toEqual({
      ...{ ...trace, hashes: [], version: 0, subscribe: 0 },
    })
    const opened = await openTrace(file)
    if (opened.kind !== 'opened') throw new Error(opened.message)
    expect(await opened.model.readViews(0, trace.views.length)).toEqual(trace.views)
    if (trace.keyframes.length > 0) expect(await opened.model.keyframe(0)).toEqual(trace.keyframes[0])
  })

  test('of every format tells the same run', async () => {
    const steps = async (name: string) => {
      const run = new ReplayRun(await read(await readFile(KEPT + name)), systems.lamp)
      run.start()
      for (const stimulus of (await read(await readFile(KEPT + name))).stimuli) run.step(stimulus)
      return stepsOf(run.trace)
    }
    expect(await steps('format-2.jsonl.gz')).toEqual(await steps('format-1.jsonl.gz'))
    expect(await steps('format-2-keyframe.jsonl.gz')).toEqual(await steps('format-1-keyframe.jsonl.gz'))
  })
})

const parsed = (lines: readonly string[]) => lines.map(line => JSON.parse(line) as TraceRecord)

describe('a recording under way', () => {
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

  test('is written by and by as it would be at once, and not twice', async () => {
    for (let seed = 0; seed < 8; seed++) {
      const { recorder, encoder, lines } = await recorded(seed)
      expect(encoder.next()).toEqual([])
      recorder.stop()
      lines.push(...encoder.end())
      expect(lines).toEqual([...encodeLines(recorder.trace)])
      expect(encoder.began).toBe(1)
    }
  })

  test('that begins anew begins a new file', async () => {
    const { recorder, drive, encoder } = await recorded(3)
    recorder.startRecording()
    await drive(3)
    const lines = encoder.next()
    expect(encoder.began).toBe(2)
    expect(parsed(lines.slice(0, 1))).toMatchObject([{ line: 'header', format: 2 }])
    recorder.stop()
    const trace = await read([...lines, ...encoder.end()].join('\n'))
    expect([trace.damage, stepsOf(trace)]).toEqual([[], stepsOf(recorder.trace)])
  })

  test('stands in the order of happening', async () => {
    for (let seed = 20; seed < 28; seed++) {
      const { recorder, encoder, lines } = await recorded(seed)
      recorder.stop()
      const seen = { actor: 0, stimulus: 0, view: 0, tape: 0 }
      let before = -1
      for (const record of parsed([...lines, ...encoder.end()])) {
        if (record.line === 'stimulus' && !record.anchor) before = record.seq
        if (record.line === 'view') {
          expect(Math.max(record.actor, record.from ?? 0)).toBeLessThan(seen.actor)
          expect(record.cause).toBeLessThan(seen.stimulus)
          expect(record.cause).toBeGreaterThanOrEqual(before)
        }
        // It stands before the step, of which its stimulus is the first or an anchored one.
        if (record.line === 'tape') expect(record.at ?? -1).toBeGreaterThanOrEqual(seen.stimulus - 1)
        if (record.line === 'keyframe')
          expect([record.at, record.views, record.tape]).toEqual([seen.stimulus, seen.view, seen.tape])
        if (record.line in seen) seen[record.line as keyof typeof seen] += 1
      }
      expect(seen.stimulus).toBeGreaterThan(20)
    }
  })
})

test('hashes of a file that leaves the views out stay in proportion, and find a change', async () => {
  const { recorder, drive } = createRandomRun(5)
  recorder.start()
  await drive(600)
  recorder.stop()
  const lines = [...encodeLines(recorder.trace, { views: false })]
  const hashes = lines.filter(line => line.startsWith('{"line":"hash"'))
  const { views, actors } = recorder.trace
  expect(actors.length).toBeGreaterThan(250)
  expect(hashes.join('').length).toBeLessThan(30 * views.length)
  const trace = await read(lines.join('\n'))
  expect(verify(trace, randomSystem())).toMatchObject({ outcome: 'exact' })
  expect(verify(trace, randomSystem(7))).toMatchObject({ outcome: 'diverged' })
})
