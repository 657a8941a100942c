// A recording of 100,000 steps is explained in a moment, also right after it has grown.
import { expect, test } from 'vitest'
import { explain } from '../../../src/trace/explain/explain.ts'
import type { Question } from '../../../src/trace/explain/answer.ts'
import type { ActorEntry, StepRecord, TraceSource } from '../../../src/trace/index.ts'
import { stored } from '../../harness/timeline.ts'
import { both, clientTrace, request, wait } from './corpus/situation.ts'

const SIZE = 100_000

/** The recording of one request, with that request again and again. */
function longTrace(): TraceSource {
  const trace = clientTrace([stored(3_000)], both(wait(10), request(), wait(100)))
  const start = trace.steps.findIndex(({ event }) => event.type === 'request.start')
  const firstActor = trace.actors.findIndex(({ path }) => path.includes('request.r'))
  const [before, once] = [trace.steps.slice(0, start), trace.steps.slice(start)]
  const own = trace.actors.slice(firstActor)
  const steps: StepRecord[] = [...before]
  const actors: ActorEntry[] = trace.actors.slice(0, firstActor)
  while (steps.length < SIZE) {
    const [seqs, indices] = [steps.length - start, actors.length - firstActor]
    const moved = (index: number) => (index < firstActor ? index : index + indices)
    steps.push(
      ...once.map(step => ({
        ...step,
        seq: step.seq + seqs,
        actor: moved(step.actor),
        ...(step.by !== undefined && { by: step.by < start ? step.by : step.by + seqs }),
        ...(step.from !== undefined && { from: moved(step.from) }),
      })),
    )
    actors.push(
      ...own.map(entry => ({
        ...entry,
        index: entry.index + indices,
        ...(entry.parent !== undefined && { parent: moved(entry.parent) }),
      })),
    )
  }
  const { header, stimuli, damage, version, subscribe } = trace
  return { live: true, header, stimuli, damage, version, subscribe, steps, actors }
}

const QUESTIONS: readonly Question[] = [
  ...(
    [
      'signedIn',
      'signedOut',
      'refreshed',
      'notRefreshed',
      'keyRefused',
      'offline',
      'liveLost',
      'callFailing',
    ] as const
  ).map(status => ({ status })),
  { actor: 'client/session' },
  { actor: 'client/requests' },
  { actor: 'client/requests/request.r' },
  { step: SIZE - 1 },
  { step: SIZE / 2 },
]

test('each question about 100,000 steps is answered within 20 ms', () => {
  const trace = longTrace()
  explain(trace, { status: 'signedIn' })
  const times = QUESTIONS.map(question => {
    const runs = Array.from({ length: 20 }, () => {
      const start = performance.now()
      explain(trace, question)
      return performance.now() - start
    })
    return [JSON.stringify(question), Math.min(...runs)] as const
  })
  expect(times.filter(([, ms]) => ms > 20)).toEqual([])
})

test('steps that were appended since the last question count', () => {
  const trace = clientTrace([stored(3_000)], both(wait(10), request(), wait(100)))
  const steps = trace.steps.slice(0, 5)
  const growing = { ...trace, steps }
  expect(explain(growing, { status: 'signedIn' })).toHaveProperty('unknown')
  steps.push(...trace.steps.slice(5))
  expect(explain(growing, { status: 'signedIn' })).toHaveProperty(
    'sentence',
    'You are signed in because a stored session was found.',
  )
})
