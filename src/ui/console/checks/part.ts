// Extracts a part of a trace for exports: renumbered steps with their stimuli.
import type { StepRecord, TraceSource } from '../../../trace/index.ts'
import type { Part } from './jobs.ts'

type Exported = Pick<TraceSource, 'header' | 'actors' | 'stimuli' | 'steps'>

/** Returns a filter for the steps of a part. */
function isIn(part: Part): (step: Pick<StepRecord, 'seq' | 't'>) => boolean {
  switch (part.kind) {
    case 'all':
      return () => true
    case 'range':
      return ({ t }) => t >= part.from && t <= part.until
    case 'steps': {
      const seqs = new Set(part.seqs)
      return ({ seq }) => seqs.has(seq)
    }
  }
}

/** Returns the trace with the selected steps; causes outside of them are removed. */
export function partOf(trace: Exported, part: Part): Exported {
  if (part.kind === 'all') return trace
  const { header, actors, stimuli } = trace
  const kept = trace.steps.filter(isIn(part))
  const numbers = new Map(kept.map(({ seq }, at) => [seq, at]))
  const steps = kept.map(({ by, ...step }, seq): StepRecord => {
    const cause = by === undefined ? undefined : numbers.get(by)
    return { ...step, seq, ...(cause !== undefined && { by: cause }) }
  })
  return { header, actors, stimuli, steps }
}

/**
 * Returns the selected steps plus all others of their actors and those actors' children, so that calls stay
 * complete.
 */
export function wholeCalls(trace: Exported, part: Part): Part {
  if (part.kind === 'all') return part
  const meant = new Set(trace.steps.filter(isIn(part)).map(({ actor }) => actor))
  const isMeant = (actor: number): boolean => {
    const parent = trace.actors[actor]?.parent
    return meant.has(actor) || (parent !== undefined && parent > 0 && isMeant(parent))
  }
  const concerns = ({ actor, from }: StepRecord) => isMeant(actor) || (from !== undefined && isMeant(from))
  return { kind: 'steps', seqs: Uint32Array.from(trace.steps.filter(concerns), ({ seq }) => seq) }
}

/** Returns the stimuli of the selected steps. */
export function stimuliOf(trace: Exported, part: Part): readonly number[] {
  if (part.kind === 'all') return trace.stimuli.map(({ seq }) => seq)
  const causes = new Set(trace.steps.filter(isIn(part)).map(({ cause }) => cause))
  return trace.stimuli.flatMap(({ seq }) => (causes.has(seq) ? [seq] : []))
}
