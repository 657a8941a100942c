// Where the code behind a step is: the transition that it took, or the state that it led to.
import type { SourcePosition } from '../format/source.ts'
import type { StepRecord } from '../format/records.ts'
import type { TraceSource } from '../format/trace-source.ts'
import { positionIn } from './source-positions.ts'
import { activeNodePaths, chartOf, takenTransitions } from './taken-transitions.ts'

/**
 * Returns the position of the first transition that a step took, else of the innermost state that was active
 * afterwards, else of its machine. Undefined without positions, and for actors that are no machines.
 */
export function stepPosition(
  trace: Pick<TraceSource, 'header' | 'actors' | 'steps'>,
  step: StepRecord,
): SourcePosition | undefined {
  const { sources } = trace.header
  const machine = trace.actors[step.actor]?.src
  if (!sources || machine === undefined || !chartOf(trace, step)) return undefined
  const [taken] = takenTransitions(trace, step)
  const [state = ''] = activeNodePaths(step.value)
  return (
    (taken && positionIn(trace.header, machine, { kind: 'transition', name: taken.name })) ??
    positionIn(trace.header, machine, { kind: 'state', name: state }) ??
    positionIn(trace.header, machine, { kind: 'machine' })
  )
}
