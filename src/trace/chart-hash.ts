// The hash of a machine's structure, and whether two charts are of one machine although older files tell less.
import { encodeValue } from './codec.ts'
import type { ChartState, ChartTransition, MachineChart } from './format.ts'
import { canonical, hashText } from './hash.ts'

/** What a chart of revision 2 is hashed by: all that changes behaviour, and no description. */
export function behaviourHash(root: ChartState): string {
  return hashOf(mapped(root, withoutWords, withoutWords))
}

/** Whether two charts are of machines that behave alike, as far as both tell. */
export function isSameMachine(then: MachineChart | undefined, now: MachineChart | undefined): boolean {
  if (!then || !now) return then === now
  if (then.hash === now.hash) return true
  return then.revision !== now.revision && firstHash(then) === firstHash(now)
}

/** Both charts with what both tell: of one revision they stay as they are. */
export function comparable(then: MachineChart, now: MachineChart): readonly [MachineChart, MachineChart] {
  return then.revision === now.revision ? [then, now] : [asFirst(then), asFirst(now)]
}

/** The hash by which files told a machine before charts had revisions. */
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
