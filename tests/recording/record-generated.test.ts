// Systems generated from seeds: recorded, they behave as they do unrecorded, and replay exactly.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createEntropy, createSeededEntropy } from '../../src/services/runtime/index.ts'
import { ReplayRun, verify } from '../../src/services/replay/index.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { generatedSystem, recordGenerated, runGenerated } from '../harness/generated-run.ts'
import { stepsOf } from '../harness/steps.ts'
import { testSeeds, volume } from '../harness/volume.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const EVENTS = 4
/** The systems of the seeds from here on end; among others are some that send themselves events forever. */
const ENDING = 0

function exact({ stimuli, steps }: ReplayableTrace) {
  const counts = { stimuli: stimuli.length, steps: steps.length, compared: steps.length }
  return { outcome: 'exact', system: 'generated', ...counts, machines: [], damage: [] }
}

testSeeds('generated systems replay exactly', { some: 30, all: 1000, first: ENDING }, async seed => {
  const { trace } = (await recordGenerated(seed, EVENTS)).recording
  expect(verify(trace, generatedSystem(seed))).toEqual(exact(trace))
})

test('they replay exactly from each keyframe', async () => {
  let keyframes = 0
  const count = volume(25, 100)
  for (let seed = 0; seed < count; seed++) {
    const { trace } = (await recordGenerated(seed, EVENTS, 4)).recording
    const from = trace.keyframes[seed % 3]
    if (!from) continue
    keyframes += 1
    const run = new ReplayRun(trace, generatedSystem(seed).generated, { from })
    run.start()
    for (const stimulus of trace.stimuli.slice(from.at)) run.step(stimulus)
    expect([seed, run.problems]).toEqual([seed, []])
    expect(stepsOf(run.trace)).toEqual(stepsOf(trace).slice(from.steps))
  }
  expect(keyframes).toBeGreaterThan(count * 0.3)
})

test('everything observable is the same, recorded or not', async () => {
  let dice = createSeededEntropy(0)
  vi.spyOn(crypto, 'getRandomValues').mockImplementation(array => {
    if (array instanceof Uint32Array) return array.fill(dice.random() * 2 ** 32)
    return array
  })
  for (let seed = 0; seed < volume(25, 100); seed++) {
    dice = createSeededEntropy(seed)
    const { log } = await recordGenerated(seed, EVENTS, 6, createEntropy())
    dice = createSeededEntropy(seed)
    expect([seed, log]).toEqual([seed, await runGenerated(seed, EVENTS)])
  }
})

test('they contain what makes replaying hard', async () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 100; seed++) {
    const { trace } = (await recordGenerated(seed, 12)).recording
    for (const { kind, anchor, threw } of trace.stimuli)
      seen.add(`${kind}${anchor ? ` in ${anchor.phase}` : ''}${threw ? ' threw' : ''}`)
    for (const { kind } of trace.actors) seen.add(kind)
    for (const { status } of trace.steps) seen.add(status)
  }
  const all =
    'active, callback, done, error, external, external in action, external in emit, external in snapshot, external in start, external in transition, leaf, leaf in action threw, ' +
    'leaf in start, leaf in start threw, leaf in transition, leaf in transition threw, machine, observable, other, promise, stop, stopped, timer'
  expect([...seen].sort().join(', ')).toBe(all)
})

test('they replay exactly in another process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files: [number, string[]][] = []
  for (let seed = 2000; seed < 2000 + volume(10, 50); seed++)
    files.push([seed, (await recordGenerated(seed, EVENTS)).recording.lines()])
  const path = join(folder, 'runs.json')
  await writeFile(path, JSON.stringify(files))
  const script = fileURLToPath(new URL('../harness/replay-generated.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, path], { maxBuffer: 2 ** 26 })
  expect(JSON.parse(stdout)).toEqual(files.map(([seed]) => [seed, 'exact']))
})
