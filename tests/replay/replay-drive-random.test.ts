// Drives of racing systems: unchanged ones are the same to the end, and edited ones are recordings that replay.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createSeededEntropy } from '../../src/services/runtime/index.ts'
import { drive, makeDrive, verify } from '../../src/services/replay/index.ts'
import { systems } from '../../src/public/devtools/replay.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'
import { stormyRun } from '../harness/recorded-run.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

/** A recording from the start, or from the middle of a run. */
async function recorded(seed: number, isLate: boolean): Promise<ReplayableTrace> {
  const { recorder, drive: go, clock } = createRandomRun(seed, 0.3)
  recorder.start()
  if (isLate) {
    await go(12)
    recorder.startRecording()
  }
  await go(18)
  await clock.advanceAsync(10)
  recorder.stop()
  const read = await readTrace(await recorder.file())
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

/** Leaves out some of the external events. */
function thinned(seed: number) {
  const { random } = createSeededEntropy(seed)
  const dropped = new Map<number, boolean>()
  return ({ kind, seq }: { readonly kind: string; readonly seq: number }) => {
    if (!dropped.has(seq)) dropped.set(seq, kind === 'external' && random() < 0.4)
    return dropped.get(seq) === false
  }
}

describe.each([
  ['from the start', false],
  ['from the middle of a run', true],
])('random systems recorded %s', (_, isLate) => {
  test('are the same, and edited ones replay exactly', async () => {
    let lost = 0
    for (let seed = 100; seed < 108; seed++) {
      const trace = await recorded(seed, isLate)
      const same = drive(trace, randomSystem())
      expect({ seed, ...same }).toMatchObject({ seed, outcome: 'same', placed: trace.stimuli.length })
      const { trace: made, report } = makeDrive(trace, randomSystem(), {
        keep: thinned(seed),
        compare: false,
      })
      if (!made || report.outcome === 'unusable') throw new Error(`seed ${seed} could not be driven`)
      lost += report.unplaced.items.length
      expect({ seed, ...verify(made, randomSystem()) }).toMatchObject({
        seed,
        outcome: 'exact',
        compared: made.steps.length,
      })
    }
    expect(lost).toBeGreaterThan(0)
  })
})

test('the same is true of the client in storms', () => {
  for (let seed = 1; seed < 4; seed++) {
    const { trace } = stormyRun(seed, 30)
    const { trace: made } = makeDrive(trace, systems, { keep: thinned(seed), compare: false })
    if (!made) throw new Error(`seed ${seed} could not be driven`)
    expect({ seed, ...verify(made, systems) }).toMatchObject({ seed, outcome: 'exact' })
  }
})
