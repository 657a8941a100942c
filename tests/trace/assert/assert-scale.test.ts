// Assertions at scale: the cost depends on what is pending, not on the past; a packed model gives the same
// results as a trace.
import { expect, test } from 'vitest'
import {
  assertion,
  each,
  eventually,
  never,
  responds,
  checkModel,
  checkTrace,
  createAssertionWatch,
  openTrace,
  invariants,
} from '../../../src/trace/index.ts'
import { runAssertions } from '../../../src/trace/assert/run.ts'
import { Timers } from '../../../src/trace/assert/deadline.ts'
import { encodeFile } from '../../../src/trace/write/encode.ts'
import { recordedClient } from '../../harness/recorded-run.ts'
import { letters } from '../assert-story.ts'

test('a hundred thousand requests, each answered, with ten open at a time', () => {
  const failed: number[] = []
  const run = runAssertions(
    [
      assertion('in time', responds({ event: 'ask' }, { event: 'tell' }, { by: 'event.id', within: 100 })),
      assertion('each once', each('event.id', eventually({ event: 'tell' }))),
    ],
    { failed: (_, __, { seq }) => void failed.push(seq) },
  )
  run.actor({ line: 'actor', index: 0, path: 'app', kind: 'machine', src: 'app' })
  const step = { line: 'step', actor: 0, cause: 0, status: 'active', changed: true } as const
  for (let id = 0; id < 100_000; id++) {
    run.step({ ...step, seq: 2 * id, t: id, event: { type: 'ask', id } }, true)
    run.step({ ...step, seq: 2 * id + 1, t: id, event: { type: 'tell', id: id - 10 } }, true)
  }
  expect([failed, run.verdicts()]).toEqual([[], ['pending', 'pending']])
})

test('deadlines expire in order, and canceled ones do not remain in the heap', () => {
  const timers = new Timers()
  const rung: number[] = []
  const set = [50, 10, 40, 20, 30].map(at => timers.set(at, () => rung.push(at)))
  timers.off(set[2])
  timers.advance(10)
  expect(rung).toEqual([])
  timers.advance(45)
  expect(rung).toEqual([10, 20, 30])
  for (let at = 0; at < 1_000; at++) timers.off(timers.set(1_000 + at, () => rung.push(-1)))
  expect(timers.size).toBeLessThan(100)
  timers.advance(10_000)
  expect(rung).toEqual([10, 20, 30, 50])
})

test('a growing trace is watched as it grows, and a new one is watched from its start', () => {
  const [whole, other] = [letters('abcab'), letters('bb')]
  let trace = { ...whole, steps: whole.steps.slice(0, 2) }
  const received: number[] = []
  const source = {
    actors: whole.actors,
    get stimuli() {
      return trace.stimuli
    },
    get steps() {
      return trace.steps
    },
  }
  const look = createAssertionWatch(source, [assertion('no b', never({ event: 'b' }))], {
    failed: (_, __, { seq }) => void received.push(seq),
  })
  look()
  trace.steps.push(...whole.steps.slice(2))
  look()
  trace = { ...other, steps: [...other.steps] }
  look()
  expect(received).toEqual([1, 4, 0, 1])
})

test('a packed model gives the same results as the trace', async () => {
  const { clock, send, recorder } = recordedClient()
  clock.advance(10)
  send({ type: 'session.signIn', attempt: 'in' } as never)
  clock.advance(4_000_000)
  recorder.stop()
  const opened = await openTrace(await encodeFile(recorder.trace))
  if (opened.kind !== 'opened') throw new Error(opened.message)
  const assertions = [
    ...invariants(),
    assertion('no refresh', never({ src: 'refreshToken', first: true })),
    assertion('signed out', eventually({ src: 'session', state: 'lost' })),
  ]
  const seen: number[] = []
  const report = await checkModel(opened.model, assertions, { onProgress: steps => seen.push(steps) })
  expect(report).toEqual(checkTrace(recorder.trace, assertions))
  expect(report.results.map(({ verdict }) => verdict)).toEqual([
    ...invariants().map(() => 'holds'),
    'fails',
    'fails',
  ])
  expect(seen.at(-1)).toBe(recorder.trace.steps.length)
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(checkModel(opened.model, assertions, { signal })).rejects.toThrow('enough')
})
