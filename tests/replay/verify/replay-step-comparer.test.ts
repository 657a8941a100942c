// A replay finds every difference from the recording: one value, anywhere in any step of systems generated
// from seeds.
import { beforeEach, expect, test, vi } from 'vitest'
import { soundPart, StepComparer } from '../../../src/services/replay/verify/comparison.ts'
import { ReplayRun, verify } from '../../../src/services/replay/index.ts'
import {
  encodeValue,
  type Json,
  decodeValue,
  type ReplayableTrace,
  type StepRecord,
} from '../../../src/trace/index.ts'
import { readTrace } from '../../../src/trace/read/read-file.ts'
import { generatedSystem, recordGenerated } from '../../harness/generated-run.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

type Change = (step: Json) => Json

/** What a replay need not reproduce. */
const FREE = new Set(['line', 'seq', 't', 'via'])

/** Every change of one value, key or item in this value. */
function changesOf(value: Json, isView = false): Change[] {
  if (Array.isArray(value)) {
    const inside = value.flatMap((item, at) =>
      changesOf(item).map(
        (change): Change =>
          all =>
            (all as Json[]).with(at, change((all as Json[])[at] ?? null)),
      ),
    )
    return [all => [...(all as Json[]), 0], ...inside]
  }
  if (typeof value !== 'object' || value === null) return [() => otherThan(value)]
  const keys = Object.keys(value).filter(key => key !== '$' && !(isView && FREE.has(key)))
  const inside = keys.flatMap(key =>
    changesOf((value as Record<string, Json>)[key] ?? null).map((change): Change => all => {
      const fields = all as Record<string, Json>
      return { ...fields, [key]: change(fields[key] ?? null) }
    }),
  )
  return isView ? inside : [all => ({ ...(all as Record<string, Json>), more: 1 }), ...inside]
}

function otherThan(value: Json): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string' && /\dZ$/.test(value))
    return value.replace(/\dZ$/, digit => (digit === '1Z' ? '2Z' : '1Z'))
  if (typeof value === 'string') return `${value}x`
  return typeof value === 'boolean' ? !value : 0
}

async function traceOf(seed: number): Promise<ReplayableTrace> {
  const { recording } = await recordGenerated(seed, 4)
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

/** The step with this change; undefined if the change makes no difference or the step becomes unreadable. */
function changed(step: StepRecord, change: Change): StepRecord | undefined {
  const before = encodeValue(step)
  try {
    const other = decodeValue(change(before)) as StepRecord
    return JSON.stringify(encodeValue(other)) === JSON.stringify(before) ? undefined : other
  } catch {
    return undefined
  }
}

/** Replays once, and compares every step with each changed form of its record. */
function changesMissed(
  trace: ReplayableTrace,
  seed: number,
): { missed: [StepRecord, StepRecord][]; found: number } {
  const missed: [StepRecord, StepRecord][] = []
  let found = 0
  const sound = soundPart(trace)
  const run = new ReplayRun(trace, generatedSystem(seed).generated, {
    show(step) {
      all.take(step)
      const record = trace.steps[step.seq]
      for (const change of record ? changesOf(encodeValue(record), true) : []) {
        const other = record && changed(record, change)
        if (!other) continue
        const steps: StepRecord[] = []
        steps[step.seq] = other
        const one = new StepComparer({ ...trace, steps }, sound, run)
        one.compared = step.seq
        one.take(step)
        if (one.next([])?.index === step.seq) found += 1
        else missed.push([record, other])
      }
    },
  })
  const all = new StepComparer(trace, sound, run)
  run.start()
  for (const stimulus of trace.stimuli) run.step(stimulus)
  expect([all.next(run.problems), all.rest(), all.compared]).toEqual([
    undefined,
    undefined,
    trace.steps.length,
  ])
  return { missed, found }
}

test('one changed value, anywhere in any step, is found', async () => {
  let all = 0
  for (let seed = 0; seed < 20; seed++) {
    const { missed, found } = changesMissed(await traceOf(seed), seed)
    expect([seed, missed]).toEqual([seed, []])
    all += found
  }
  expect(all).toBeGreaterThan(5_000)
})

test('a report names the step with the changed value', async () => {
  const trace = await traceOf(3)
  const { steps } = trace
  for (const [index, step] of steps.entries()) {
    if (index % 7 > 0) continue
    const other = { ...step, changed: !step.changed }
    const { outcome, compared } = verify({ ...trace, steps: steps.with(index, other) }, generatedSystem(3))
    expect([index, outcome, compared]).toEqual([index, 'diverged', index])
  }
})
