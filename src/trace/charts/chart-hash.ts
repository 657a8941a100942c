// Hashes a machine's structure.
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import { canonical, hashText } from '../codec/hash.ts'
import type { Json } from '../codec/json.ts'

/** The hash of a chart: everything that affects behavior, without descriptions. */
export function behaviorHash(root: ChartState): string {
  return hashText(canonical(withoutWords(root) as unknown as Json))
}

/** Whether two charts belong to machines with the same behavior. */
export function isSameMachine(then: MachineChart | undefined, now: MachineChart | undefined): boolean {
  return then?.hash === now?.hash
}

function withoutWords({ description: _w, ...state }: ChartState): ChartState {
  return {
    ...state,
    states: state.states.map(withoutWords),
    transitions: state.transitions.map(({ description: _w, ...rest }): ChartTransition => rest),
  }
}
