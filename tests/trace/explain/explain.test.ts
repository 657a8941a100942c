// The corpus: each answer is compared with the facts that a person expects, not with a text.
import { describe, expect, test } from 'vitest'
import { explain } from '../../../src/trace/explain/explain.ts'
import type { Explanation } from '../../../src/trace/explain/answer.ts'
import type { TraceSource } from '../../../src/trace/index.ts'
import { CORPUS } from './corpus/index.ts'
import type { ExpectedAnswer, Situation } from './corpus/situation.ts'

describe('the corpus', () => {
  test.each(CORPUS.map(situation => [situation.name, situation] as const))('%s', async (_, situation) => {
    expect(await misses(situation)).toEqual([])
  })
})

/** What the answer to a situation lacks. */
async function misses({ record, question, expected }: Situation): Promise<string[]> {
  const trace = await record()
  const answer = explain(trace, question(trace))
  if ('unknown' in expected) return 'unknown' in answer ? [] : [`a guess: ${answer.sentence}`]
  if ('unknown' in answer) return [`unknown: ${answer.unknown}`]
  return [...reasonMisses(trace, answer, expected), ...wordMisses(answer, expected)]
}

function reasonMisses(
  trace: TraceSource,
  answer: Explanation,
  { reason, evidence = [] }: ExpectedAnswer,
): string[] {
  const [path, type, fields = {}] = reason
  const [first] = answer.because
  const event = trace.steps[first.step]?.event ?? {}
  const isReason =
    (path === '' || first.actor.replaceAll(/#\d+/g, '') === path) &&
    (type === '' || first.event === type) &&
    Object.entries(fields).every(([key, value]) => (event as Record<string, unknown>)[key] === value)
  const chain = answer.because.map(({ step, actor, event }) => `${step} ${actor} ${event}`)
  return [
    ...(isReason ? [] : [`the reason is ${path} ${type}, not ${chain.join(' → ')}`]),
    ...evidence
      .filter(fact => !answer.evidence.some(one => matches(one, fact)))
      .map(fact => `no evidence ${JSON.stringify(fact)} in ${JSON.stringify(answer.evidence)}`),
  ]
}

const matches = (is: object, fact: object) =>
  Object.entries(fact).every(([key, value]) => (is as Record<string, unknown>)[key] === value)

function wordMisses(
  { sentence, next }: Explanation,
  { mentions, omits = [], next: follows }: ExpectedAnswer,
): string[] {
  const contains = (text: string | undefined, part: string) =>
    text?.toLowerCase().includes(part.toLowerCase()) === true
  return [
    ...mentions.filter(word => !contains(sentence, word)).map(word => `“${word}” is not in: ${sentence}`),
    ...omits.filter(word => contains(sentence, word)).map(word => `“${word}” is in: ${sentence}`),
    ...(follows === undefined || contains(next, follows)
      ? []
      : [`“${follows}” is not what follows: ${next}`]),
  ]
}
