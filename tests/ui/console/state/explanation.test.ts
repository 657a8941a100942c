// The sentence of the Cause tab: the same for a live recording and for a file whose records load from a worker.
import { expect, test } from 'vitest'
import {
  explainSelected,
  LiveFeed,
  type StepRecord,
  stepsOfTrace,
  type TraceSource,
} from '../../../../src/trace/index.ts'
import { explainNow } from '../../../../src/ui/console/state/use-explanation.ts'
import { refused, renewals, stored } from '../../../harness/timeline.ts'
import { clientTrace, wait } from '../../../trace/explain/corpus/situation.ts'
import { stormyRun } from '../../../harness/recorded-run.ts'

/** Explains a step as the console does when no record is at hand; counts the records that it loads. */
function explainedByLoading(trace: TraceSource, seq: number) {
  const feed = new LiveFeed(trace)
  feed.advance(Infinity)
  const { timeline } = feed
  const records = new Map<number, StepRecord>()
  for (;;) {
    const answer = explainNow(
      {
        timeline,
        details: { peek: () => undefined },
        system: trace.header.system,
        charts: trace.header.machines,
        records,
      },
      seq,
    )
    if ('sentence' in answer || 'unknown' in answer) return { answer, loads: records.size }
    const record = trace.steps[answer.seq]
    if (!record || records.has(answer.seq)) throw new Error(`Step ${answer.seq} is requested twice.`)
    records.set(answer.seq, record)
  }
}

test('the response that ended a session says that the user was signed out by it', () => {
  const trace = clientTrace([stored(-5), renewals(refused('session_not_found'))], wait(2_000))
  const seq = trace.steps.findIndex(({ event }) => event.type === 'refresh.failed')
  const answer = explainSelected(stepsOfTrace(trace), seq)
  expect(answer).toMatchObject({
    sentence: expect.stringMatching(/^You were signed out because/),
    because: [{ step: seq }, {}, {}, {}],
  })
})

test('loading records one by one gives the same answers, with few records', () => {
  const { trace } = stormyRun(5, 25)
  const source = stepsOfTrace(trace)
  for (let seq = 0; seq < trace.steps.length; seq += 7) {
    const { answer, loads } = explainedByLoading(trace, seq)
    expect(answer).toEqual(explainSelected(source, seq))
    expect(loads).toBeLessThan(60)
  }
})
