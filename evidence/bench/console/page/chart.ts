// Generates a machine with a given number of states, grouped if there are many.
import type { ChartState, MachineChart } from '../../../../src/trace/format/chart.ts'
import type { StateValue } from '../../../../src/trace/format/records.ts'

/** States per group. */
const GROUP = 12
const EMPTY = { states: [], entry: [], exit: [], invoke: [], tags: [], transitions: [] }

const groupOf = (n: number): string => `g${Math.floor(n / GROUP)}`
const isGrouped = (states: number): boolean => states > GROUP
const pathOf = (n: number, states: number): string => (isGrouped(states) ? `${groupOf(n)}.s${n}` : `s${n}`)

/** The n-th state, in the format of a machine's snapshot. */
export const valueOf = (n: number, states: number): StateValue =>
  isGrouped(states) ? { [groupOf(n)]: `s${n}` } : `s${n}`

/** A machine whose states form a cycle. */
export function chartOf(states: number): MachineChart {
  const all = Array.from({ length: states }, (_, n): ChartState => {
    const next = (n + 1) % states
    const transitions = [{ event: `to.s${next}`, targets: [pathOf(next, states)], actions: [] }]
    return { ...EMPTY, path: pathOf(n, states), key: `s${n}`, type: 'atomic', transitions }
  })
  const inside = isGrouped(states) ? grouped(all) : all
  const initial = inside[0]?.key ?? ''
  const root: ChartState = { ...EMPTY, path: '', key: 'berth', type: 'compound', initial, states: inside }
  return { id: 'berth', hash: `bench ${states}`, root }
}

function grouped(all: readonly ChartState[]): ChartState[] {
  return Array.from({ length: Math.ceil(all.length / GROUP) }, (_, at): ChartState => {
    const states = all.slice(at * GROUP, (at + 1) * GROUP)
    return {
      ...EMPTY,
      path: `g${at}`,
      key: `g${at}`,
      type: 'compound',
      initial: states[0]?.key ?? '',
      states,
    }
  })
}
