// Why an event happened: the events that led to it, back to what came from outside.
import type { ActorEntry } from '../../../trace/format.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { StimulusFacts } from '../../../trace/timeline/view-table.ts'
import { shortPath } from '../actor-names.ts'

const LONGEST = 100

export interface CauseChain {
  /** What came from outside, when the trace has it. */
  readonly stimulus: StimulusFacts | undefined
  /** Numbers of the views from the first to the one asked about. */
  readonly seqs: readonly number[]
  /** Whether the chain goes further back than shown. */
  readonly cut: boolean
}

/** The chain that ends in a view. */
export function causeChain(timeline: Timeline, seq: number): CauseChain {
  const seqs = [...timeline.causesOf(seq, LONGEST - 1).toReversed(), seq]
  const isCut = timeline.by(seqs[0] ?? seq) >= 0
  return { stimulus: timeline.stimulus(timeline.cause(seq)), seqs, cut: isCut }
}

/** What came from outside, in a word or two. */
export function stimulusLabel(
  actors: readonly ActorEntry[],
  { kind, from }: Pick<StimulusFacts, 'kind' | 'from'>,
): string {
  const sender = from === undefined ? undefined : actors[from]
  switch (kind) {
    case 'external':
      return 'app'
    case 'timer':
      return 'timer'
    case 'stop':
      return 'stop'
    case 'leaf':
      return sender ? shortPath(sender) : 'leaf'
  }
}
