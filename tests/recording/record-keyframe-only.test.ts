// Recordings without steps: every fifth of the thousand systems replays exactly; derived steps equal those of
// a full recording.
import { beforeEach, expect, test, vi } from 'vitest'
import { encodeLines } from '../../src/trace/write/encode.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { createSeededEntropy } from '../../src/services/runtime/index.ts'
import { deriveSteps, verify } from '../../src/services/replay/index.ts'
import { generatedSystem, recordGenerated } from '../harness/generated-run.ts'
import { stepsOf } from '../harness/steps.ts'
import { testSeeds } from '../harness/volume.ts'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  // Some systems read the clock themselves, which is taped in both recordings.
  vi.spyOn(Date, 'now').mockReturnValue(1e12)
})

const EVENTS = 4
/** The systems of the seeds from here on end; among others are some that send themselves events forever. */
const ENDING = 0

async function lean(seed: number): Promise<ReplayableTrace> {
  const { recording } = await recordGenerated(seed, EVENTS, 6, createSeededEntropy(seed), false)
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

testSeeds('generated systems replay exactly', { some: 20, all: 200, first: ENDING }, async seed => {
  const trace = await lean(seed)
  const keyframes = trace.keyframes.length
  const counts = { stimuli: trace.stimuli.length, steps: 0, compared: 0, keyframes }
  const exact = { outcome: 'exact', system: 'generated', ...counts, machines: [], damage: [] }
  expect(verify(trace, generatedSystem(seed))).toEqual(exact)
  expect([trace.steps, trace.header.steps]).toEqual([[], false])
})

testSeeds(
  'derived steps equal those of a recording with steps',
  { some: 8, all: 40, first: ENDING },
  async seed => {
    const full = (await recordGenerated(seed, EVENTS, 6)).recording
    const derived = deriveSteps(await lean(seed), generatedSystem(seed))
    if (derived.kind !== 'trace') throw new Error(derived.message)
    const { trace } = derived
    expect(stepsOf(trace)).toEqual(stepsOf(full.trace))
    expect(trace.steps.map(({ t, via }) => [t, via])).toEqual(full.trace.steps.map(({ t, via }) => [t, via]))
    // It is a trace like any other.
    const read = await readTrace([...encodeLines(trace)].join('\n'))
    if (read.kind !== 'trace') throw new Error(read.message)
    expect([read.trace.damage, verify(read.trace, generatedSystem(seed)).outcome]).toEqual([[], 'exact'])
  },
)

test('every change in a recording is found, with the stimuli around it', async () => {
  let found = 0
  for (let seed = 0; seed < 12; seed++) {
    const trace = await lean(seed)
    for (const [what, changed] of changes(trace)) {
      const report = verify(changed, generatedSystem(seed))
      const divergence = 'divergence' in report ? report.divergence : undefined
      expect([seed, what, report.outcome, divergence?.between]).toEqual([
        seed,
        what,
        'diverged',
        [expect.any(Number), expect.any(Number)],
      ])
      found += 1
    }
  }
  expect(found).toBeGreaterThan(25)
})

/** The trace with one change at a time. */
function changes(trace: ReplayableTrace): [what: string, trace: ReplayableTrace][] {
  const { keyframes, tape } = trace
  const last = keyframes.at(-1)
  const all: [string, ReplayableTrace][] = []
  const without = (at: number, rest: readonly unknown[]) => rest.filter((_, index) => index !== at)
  if (last) {
    const snapshot = { ...(last.snapshot as object), status: 'other' }
    const others = [
      { ...last, snapshot },
      { ...last, nextOrdinal: last.nextOrdinal + 1 },
    ]
    for (const other of others)
      all.push([
        `keyframe ${JSON.stringify(other).length}`,
        { ...trace, keyframes: [...keyframes.slice(0, -1), other] },
      ])
  }
  if (tape.length > 0) {
    all.push(['tape', { ...trace, tape: without(tape.length - 1, tape) as typeof tape }])
    const [first] = tape
    if (first) all.push(['more tape', { ...trace, tape: [first, ...tape] }])
  }
  return all
}
