// Hashes a machine's structure, and compares charts of different file revisions.
import { encodeValue } from './codec.ts'
import type { ChartState, ChartTransition, MachineChart } from './format.ts'
import { canonical, hashText } from './hash.ts'

/** The hash of a chart of revision 2: everything that affects behavior, without descriptions. */
export function behaviorHash(root: ChartState): string {
  return hashOf(mapped(root, withoutWords, withoutWords))
}

/** Whether two charts belong to machines with the same behavior, as far as both contain it. */
export function isSameMachine(then: MachineChart | undefined, now: MachineChart | undefined): boolean {
  if (!then || !now) return then === now
  if (then.hash === now.hash) return true
  return then.revision !== now.revision && firstHash(then) === firstHash(now)
}

/** Reduces both charts to what both contain; charts of one revision are unchanged. */
export function comparable(then: MachineChart, now: MachineChart): readonly [MachineChart, MachineChart] {
  return then.revision === now.revision ? [then, now] : [asFirst(then), asFirst(now)]
}

/** The machine hash in files from before charts had revisions. */
const firstHash = (chart: MachineChart) =>
  chart.revision === undefined ? chart.hash : hashOf(asFirst(chart).root)

const hashOf = (root: ChartState) => hashText(canonical(encodeValue(root)))

function asFirst({ id, hash, root }: MachineChart): MachineChart {
  return { id, hash, root: mapped(root, firstState, firstTransition) }
}

function mapped(
  state: ChartState,
  ofState: (state: ChartState) => ChartState,
  ofTransition: (transition: ChartTransition) => ChartTransition,
): ChartState {
  return {
    ...ofState(state),
    states: state.states.map(child => mapped(child, ofState, ofTransition)),
    transitions: state.transitions.map(ofTransition),
  }
}

function withoutWords<T extends { readonly description?: string }>({ description: _w, ...rest }: T) {
  return rest
}

const firstState = ({ history: _h, fallback: _f, ...state }: ChartState): ChartState => state

const firstTransition = ({
  reenter: _r,
  delay: _d,
  description: _w,
  ...transition
}: ChartTransition): ChartTransition => transition
