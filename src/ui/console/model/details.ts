// Data that only a trace's records have: available in memory, or from the worker that reads the file.
import {
  type LiveFeed,
  matchesDeep,
  type StepRecord,
  type Stimulus,
  type Timeline,
} from '../../../trace/index.ts'
import type { DeepQuestion } from './trace-messages.ts'
import { describe } from '../state/json-nodes.ts'
import { snapshotOf, valueAt } from '../state/state-path.ts'

/** Records of one trace by number. */
export interface Details {
  /** Returns the record if it is available synchronously. */
  peek(seq: number): StepRecord | undefined
  /** Rejects with a `RangeError` if there is no such step. */
  record(seq: number): Promise<StepRecord>
  stimulus(seq: number): Promise<Stimulus>
  /** Returns 1 for each step that matches all questions. Pass a few thousand at a time. */
  match(
    questions: readonly DeepQuestion[],
    seqs: Uint32Array<ArrayBuffer>,
    timeline: Timeline,
  ): Promise<Uint8Array>
  /** Returns the value at a JSON pointer into each record's snapshot, on one line. */
  preview(seqs: readonly number[], pointer: string): Promise<readonly ValuePreview[]>
}

/** Details of a trace in memory, up to the part already processed. */
export function memoryDetails(feed: LiveFeed): Details {
  const got = <T>(found: T | undefined, seq: number): Promise<T> =>
    found === undefined
      ? Promise.reject(new RangeError(`number ${seq} no longer exists`))
      : Promise.resolve(found)
  return {
    peek: seq => feed.step(seq),
    record: seq => got(feed.step(seq), seq),
    stimulus: seq => got(feed.stimulus(seq), seq),
    match: (questions, seqs, timeline) => {
      const isSo = (seq: number) => {
        const step = feed.step(seq)
        const before = feed.step(timeline.previous(seq))
        return (
          step !== undefined &&
          questions.every(({ term, negated }) => matchesDeep(term, step, before) !== negated)
        )
      }
      return Promise.resolve(Uint8Array.from(seqs, seq => (isSo(seq) ? 1 : 0)))
    },
    preview: (seqs, pointer) => Promise.resolve(seqs.map(seq => previewOf(feed.step(seq), pointer))),
  }
}

/** Returns an actor at a moment: the record of the last step it had taken. */
export async function stateOf(
  timeline: Timeline,
  details: Details,
  actor: number,
  seq: number,
): Promise<StepRecord | undefined> {
  const last = timeline.lastOf(actor, seq)
  return last < 0 ? undefined : details.record(last)
}

/** Steps queried at once. */
const BATCH = 2000

/**
 * Finds the steps that match all questions, in batches: `onPart` receives the matches and the progress. Ends
 * when the signal is aborted.
 */
export async function searchDeep(
  { timeline, details }: { readonly timeline: Timeline; readonly details: Details },
  questions: readonly DeepQuestion[],
  seqs: readonly number[],
  onPart: (found: readonly number[], searched: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < seqs.length; from += BATCH) {
    const part = Uint32Array.from(seqs.slice(from, from + BATCH))
    const matches = await details.match(questions, part, timeline)
    if (signal.aborted) return
    onPart(
      [...part].filter((_, at) => matches[at] === 1),
      Math.min(seqs.length, from + BATCH),
    )
  }
}

/** Finds when the value at a JSON pointer in an actor's context changed; step numbers, ascending. */
export async function whenChanged(
  trace: { readonly timeline: Timeline; readonly details: Details },
  actor: number,
  path: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly number[]> {
  const all: number[] = []
  const seqs = trace.timeline.stepsOf(actor).filter(seq => trace.timeline.changed(seq))
  const questions = [{ term: { kind: 'changed', path } as const, negated: false }]
  await searchDeep(trace, questions, seqs, found => all.push(...found), signal)
  return all
}

export interface ValuePreview {
  /** Empty if there is no value. */
  readonly text: string
  /** Set if the value can be drawn. */
  readonly number?: number
}

/** Returns the value at a pointer into the actor's state after the record: `/state`, or below `/context`. */
export function previewOf(step: StepRecord | undefined, pointer: string): ValuePreview {
  const value = valueAt(snapshotOf(step), pointer)
  if (value === undefined) return { text: '' }
  // A state is a name, not a text.
  const text = pointer === '/state' && typeof value === 'string' ? value : describe(value).preview
  return { text, ...(typeof value === 'number' && Number.isFinite(value) && { number: value }) }
}
