// Why a record happened: the records that led to it, back to what came from outside.
import type { Stimulus, TraceSource, ViewRecord } from '../../trace/format.ts'
import { shortPath } from './actor-names.ts'

const LONGEST = 100

export interface CauseChain {
  /** What came from outside, when the trace has it. */
  readonly stimulus: Stimulus | undefined
  /** From the first record to the one asked about. */
  readonly views: readonly ViewRecord[]
  /** Whether the chain goes further back than shown. */
  readonly cut: boolean
}

/** The chain that ends in `view`. */
export function causeChain(source: TraceSource, view: ViewRecord): CauseChain {
  const views = [view]
  let cause = view.by
  while (cause !== undefined && views.length < LONGEST) {
    const before = source.views[cause]
    if (!before) break
    views.unshift(before)
    cause = before.by
  }
  return { stimulus: source.stimuli[view.cause], views, cut: cause !== undefined }
}

/** What came from outside, in a word or two. */
export function stimulusLabel(source: TraceSource, stimulus: Stimulus): string {
  const from = stimulus.from === undefined ? undefined : source.actors[stimulus.from]
  switch (stimulus.kind) {
    case 'external':
      return 'app'
    case 'timer':
      return 'timer'
    case 'stop':
      return 'stop'
    case 'leaf':
      return from ? shortPath(from) : 'leaf'
  }
}
