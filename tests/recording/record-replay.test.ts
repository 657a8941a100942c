// Recording and replaying random racing systems: every step must be reproduced completely.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ReplayRun, verify } from '../../src/services/replay/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { encodeFile } from '../../src/trace/write/encode.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'
import { stepsOf } from '../harness/steps.ts'
import { testSeeds } from '../harness/volume.ts'

// XState warns in its development build when an event reaches an actor that has ended; here that is intended.
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

async function recordRun(seed: number, faults = 0.4) {
  const run = createRandomRun(seed, faults)
  run.recorder.start()
  await run.drive(25)
  await run.clock.advanceAsync(12)
  run.recorder.stop()
  await run.clock.advanceAsync(5)
  return { file: await run.recorder.file(), live: run.recorder.trace }
}

async function decoded(file: Uint8Array): Promise<ReplayableTrace> {
  const read = await readTrace(file)
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

function replaySteps(trace: ReplayableTrace): unknown[] {
  const run = new ReplayRun(trace, randomSystem().random)
  run.start()
  for (const stimulus of trace.stimuli) run.step(stimulus)
  expect(run.problems).toEqual([])
  return stepsOf(run.trace)
}

describe('random runs under random faults', () => {
  testSeeds('they replay step by step', { some: 11, all: 200 }, async seed => {
    const { file, live } = await recordRun(seed, (seed % 11) / 10)
    const trace = await decoded(file)
    expect(trace.damage).toEqual([])
    expect(stepsOf(trace)).toEqual(stepsOf(live))
    expect(replaySteps(trace)).toEqual(stepsOf(trace))
    expect(verify(trace, randomSystem())).toEqual({
      outcome: 'exact',
      system: 'random',
      stimuli: live.stimuli.length,
      steps: live.steps.length,
      compared: live.steps.length,
      machines: [],
      damage: [],
    })
  })
})

test('the runs contain what makes replaying hard', async () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 40; seed++) {
    const { live } = await recordRun(seed)
    for (const { kind, anchor, threw } of live.stimuli) {
      seen.add(
        `${kind}${anchor ? ` in ${anchor.phase}` : ''}${anchor?.in === undefined ? '' : ' of another'}${threw ? ' threw' : ''}`,
      )
    }
    for (const { status } of live.steps) seen.add(status)
    for (const { kind } of live.tape) seen.add(kind)
  }
  expect([...seen].sort()).toEqual(
    [
      'active',
      'done',
      'error',
      'stopped',
      'now',
      'random',
      'id',
      'external',
      'leaf',
      'timer',
      'stop',
      'external in transition of another',
      'leaf in action threw',
      'leaf in start',
      'leaf in start threw',
      'leaf in transition',
      'leaf in transition of another',
      'leaf in transition threw',
    ].sort(),
  )
})

test('a file replays in another process with the same sequence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { file, live } = await recordRun(4711)
  const path = join(folder, 'run.jsonl.gz')
  await writeFile(path, file)
  const script = fileURLToPath(new URL('../harness/replay-random.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, path], { maxBuffer: 2 ** 26 })
  expect(JSON.parse(stdout)).toEqual({ outcome: 'exact', steps: stepsOf(live) })
})

/** A run that reaches the action that {@link randomSystem} can change. */
async function recordLateRun(): Promise<ReplayableTrace> {
  for (let seed = 0; ; seed++) {
    const trace = await decoded((await recordRun(seed)).file)
    if (trace.steps.some(step => step.event.type === 'late')) return trace
  }
}

describe('a machine that was changed', () => {
  test('diverges where the change first shows', async () => {
    const trace = await recordLateRun()
    const at = trace.steps.findIndex(step => step.event.type === 'late')
    const step = trace.steps[at]
    const report = verify(trace, randomSystem(7))
    const state = { actor: 'fleet', event: 'late', status: 'active', state: step?.value }
    const taken = { machine: 'fleet', name: '#11', event: 'late', targets: [], actions: ['assign'] }
    const { n } = (step?.context ?? {}) as { n: number }
    expect(report).toEqual({
      outcome: 'diverged',
      system: 'random',
      stimuli: trace.stimuli.length,
      steps: trace.steps.length,
      compared: at,
      machines: [],
      damage: [],
      divergence: {
        index: at,
        expected: state,
        got: state,
        differences: [{ path: '/context/n', expected: n, got: n + 7 }],
        chain: [expect.stringMatching(/^#\d+ timer \d+ to fleet$/), 'fleet took late'],
        cause: { actor: 'fleet', was: [taken], is: [taken], changes: [] },
      },
      // The recorder knew no codec for the error of an effect.
      hints: expect.arrayContaining([expect.stringContaining('NetError at /event/data')]) as unknown,
    })
  })

  test('is found by the hashes where the steps were left out', async () => {
    const trace = await recordLateRun()
    const bare = await decoded(await encodeFile(trace, { steps: false }))
    expect(bare.steps).toEqual([])
    expect(verify(bare, randomSystem()).outcome).toBe('exact')
    expect(verify(bare, randomSystem(7))).toMatchObject({ outcome: 'diverged' })
  })
})

test('a stimulus that is removed, doubled or altered is found', async () => {
  const trace = await decoded((await recordRun(2)).file)
  const at = trace.stimuli.findIndex(({ kind }) => kind === 'timer')
  const others = trace.stimuli.filter((_, index) => index !== at)
  expect(verify({ ...trace, stimuli: others }, randomSystem()).outcome).toBe('diverged')
  const doubled = trace.stimuli.flatMap((one, index) => (index === at ? [one, one] : [one]))
  expect(verify({ ...trace, stimuli: doubled }, randomSystem()).outcome).toBe('diverged')
  const tape = trace.tape.map(entry => (entry.kind === 'random' ? { ...entry, value: 0.123 } : entry))
  expect(verify({ ...trace, tape }, randomSystem()).outcome).not.toBe('unusable')
  expect(verify({ ...trace, tape: [] }, randomSystem()).outcome).toBe('diverged')
})
