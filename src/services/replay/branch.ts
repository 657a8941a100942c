// Branching: a trace is replayed to some record, and from there the system goes on live.
import type { ReplayableTrace } from '../../trace/format.ts'
import { makeDrive } from './drive.ts'
import type { Edit } from './edits.ts'
import { findSystem } from './find-system.ts'
import { goOn, UNREACHABLE } from './go-on.ts'
import type { Branch, LiveOptions } from './go-on.ts'
import { createReplay } from './playback.ts'
import type { SystemRegistry } from './find-system.ts'

export interface BranchOptions extends LiveOptions {
  /** Number of the stimulus in whose place it goes on; the end unless told. */
  readonly at?: number
  /** Changes of what entered the system until then. */
  readonly edits?: readonly Edit[]
}

/**
 * Goes on live from any record: effects under way there are begun again, as XState does with a restored system,
 * and timers are set for what was left of their time. Secrets were never recorded: their stand-ins take their place.
 * @throws Error when there is no system for it here, or it cannot be brought back at that place.
 */
export function branch(trace: ReplayableTrace, systems: SystemRegistry, options: BranchOptions = {}): Branch {
  const { at = trace.stimuli.length, edits = [] } = options
  if (edits.length === 0) {
    const replay = createReplay(trace, systems, { compare: false })
    replay.stepTo(at)
    return replay.branch(options)
  }
  const found = findSystem(trace, systems)
  if ('reason' in found) throw new Error(found.reason)
  const {
    report,
    trace: driven,
    keyframe,
  } = makeDrive(trace, systems, {
    edits,
    keep: ({ seq }) => seq < at,
    compare: false,
  })
  if (report.outcome === 'unusable') throw new Error(report.reason)
  if (!keyframe || !driven) throw new Error(UNREACHABLE)
  const notes = [...report.impossible, ...report.unplaced.items.map(({ seq, why }) => `#${seq}: ${why}`)]
  return goOn({ header: trace.header, at, keyframe, actors: driven.actors, notes }, found.system, options)
}
