// Explanations of random runs: they never throw, refer to steps that exist, and do not guess in a cut recording.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explain } from '../../../src/trace/explain/explain.ts'
import type { Answer } from '../../../src/trace/explain/answer.ts'
import type { TraceSource } from '../../../src/trace/index.ts'
import { recordGenerated } from '../../harness/generated-run.ts'
import { stormyRun } from '../../harness/recorded-run.ts'
import { runOrdinary } from '../../harness/ordinary-run.ts'
import { assertProperty } from '../../harness/volume.ts'
import { cutTrace } from './cut-trace.ts'

/** Placeholders, and what code prints instead of words. */
const BROKEN = /undefined|\[object|NaN|\{\w+\}|“”|\bnull\b| {2}/

function faultsOf(trace: TraceSource, answer: Answer): string[] {
  if ('unknown' in answer) return []
  const { sentence, because, evidence } = answer
  return [
    // The text of an error is its app's.
    ...(BROKEN.test(sentence.replaceAll(/threw “[^”]+”/g, 'threw')) ? [sentence] : []),
    ...[...because, ...evidence]
      .filter(({ step }) => trace.steps[step] === undefined)
      .map(({ step }) => `no step ${step}`),
    ...because
      .filter(({ step, event }) => trace.steps[step]?.event.type !== event)
      .map(({ event }) => `another event: ${event}`),
  ]
}

const everyStep = (trace: TraceSource) =>
  trace.steps.flatMap(({ seq }) => faultsOf(trace, explain(trace, { step: seq })))
const everyActor = (trace: TraceSource) =>
  trace.actors.flatMap(({ path }) => faultsOf(trace, explain(trace, { actor: path })))

test('every step and actor of a client in a storm has a whole sentence or none', () =>
  assertProperty(
    fc.property(fc.nat(10_000), seed => {
      const { trace } = stormyRun(seed, 25)
      expect([...everyStep(trace), ...everyActor(trace)]).toEqual([])
    }),
    { numRuns: 4 },
  ))

test('every step of a system of other people has a whole sentence or none', () =>
  assertProperty(
    fc.asyncProperty(fc.nat(10_000), async seed => {
      const { recording } = await recordGenerated(seed)
      const ordinary = (await runOrdinary(seed, true)).recording
      for (const trace of [recording.trace, ...(ordinary ? [ordinary.trace] : [])])
        expect([...everyStep(trace), ...everyActor(trace)]).toEqual([])
    }),
    { numRuns: 10 },
  ))

test('a recording whose beginning is cut names the same reasons, or none', () =>
  assertProperty(
    fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 95 }), (seed, percent) => {
      const { trace } = stormyRun(seed, 25)
      const from = Math.floor((trace.steps.length * percent) / 100)
      const cut = cutTrace(trace, from)
      const guesses = cut.steps.flatMap(({ seq }) => {
        const answer = explain(cut, { step: seq })
        const whole = explain(trace, { step: seq + from })
        if ('unknown' in answer || 'unknown' in whole) return []
        const [is, was] = [answer.because[0].step + from, whole.because[0].step]
        // Of an event that had no effect, the sentence tells the reason, also where its origin was cut off.
        const isSilence = answer.because.length === 1 && answer.sentence === whole.sentence
        return is === was || isSilence ? [] : [`${whole.sentence} → ${answer.sentence}`]
      })
      expect(guesses).toEqual([])
    }),
    { numRuns: 6 },
  ))
