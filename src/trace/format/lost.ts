// Placeholder records for damaged lines, so that numbering is preserved.
import type { ActorEntry, StepRecord, Stimulus } from './records.ts'

/** Event type of a placeholder record. */
export const LOST = 'chartroom.lost'

export function lostActor(index: number): ActorEntry {
  return { line: 'actor', index, path: `lost-${index}`, kind: 'other', src: LOST }
}

export function lostStimulus(seq: number): Stimulus {
  return { line: 'stimulus', seq, t: 0, kind: 'external', to: 0, event: { type: LOST } }
}

/** It has the time of the step before it. */
export function lostStep(seq: number, before: StepRecord | undefined): StepRecord {
  return {
    line: 'step',
    seq,
    t: before?.t ?? 0,
    actor: before?.actor ?? 0,
    event: { type: LOST },
    cause: before?.cause ?? -1,
    status: 'active',
    changed: false,
  }
}
