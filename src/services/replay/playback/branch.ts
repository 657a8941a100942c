// Branching: replays a trace up to a record and continues live from there.
import type { ReplayableTrace } from '../../../trace/index.ts'
import { makeDrive } from '../drive/drive.ts'
import type { Edit } from '../drive/edits.ts'
import { findSystem } from '../verify/find-system.ts'
import { type Branch, type LiveOptions, resumeLive, UNREACHABLE } from './resume-live.ts'
import { createReplay } from './playback.ts'
import type { SystemRegistry } from '../../runtime/index.ts'

/** Options of `branch`. */
export interface BranchOptions extends LiveOptions {
  /** Number of the stimulus that the live run replaces. Defaults to the end. */
  readonly at?: number
  /** Changes to earlier stimuli. */
  readonly edits?: readonly Edit[]
}

/**
 * Continues live from any record: running effects are restarted, as XState does for a restored system, and
 * timers are set to their remaining time. Secrets were never recorded; their pseudonyms are used.
 * @throws Error if the system is unknown or cannot be restored at that point
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
  return resumeLive(
    { header: trace.header, at, keyframe, actors: driven.actors, notes },
    found.system,
    options,
  )
}
