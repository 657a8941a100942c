// A machine as a Mermaid state diagram.
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import { stateText } from './mermaid-text.ts'

/** The whole machine; states are numbered, since their names may contain any characters. */
export function toStateDiagram({ root }: MachineChart): string {
  const ids = new Map<string, string>()
  const number = (state: ChartState) => {
    ids.set(state.path, `s${ids.size}`)
    for (const child of state.states) number(child)
  }
  number(root)
  const idOf = (path: string) => ids.get(path) ?? 's0'
  return [
    'stateDiagram-v2',
    ...describe(root, idOf).map(line => `  ${line}`),
    ...edgesOf(root, idOf).map(line => `  ${line}`),
    '',
  ].join('\n')
}

type IdOf = (path: string) => string

/** A state with its descendants. */
function describe(state: ChartState, idOf: IdOf): string[] {
  const id = idOf(state.path)
  const name = stateText(state.key)
  if (state.states.length === 0) return [`state "${name}" as ${id}`, ...notesOf(state, id)]
  const regions = state.states.map(child => [
    ...describe(child, idOf),
    ...(child.type === 'final' ? [`${idOf(child.path)} --> [*]`] : []),
  ])
  const isParallel = state.type === 'parallel'
  const inner = regions.flatMap((lines, at) => (isParallel && at > 0 ? ['--', ...lines] : lines))
  const initial = state.states.find(({ key }) => key === state.initial)
  return [
    `state "${name}" as ${id} {`,
    ...[...(initial ? [`[*] --> ${idOf(initial.path)}`] : []), ...inner].map(line => `  ${line}`),
    '}',
    ...notesOf(state, id),
  ]
}

/** The internal actions and transitions of a state. */
function notesOf({ entry, exit, invoke, transitions, type }: ChartState, id: string): string[] {
  const inner = transitions.filter(({ targets }) => targets.length === 0)
  const notes = [
    ...(type === 'history' ? ['history'] : []),
    ...(entry.length > 0 ? [`entry / ${entry.join(', ')}`] : []),
    ...(exit.length > 0 ? [`exit / ${exit.join(', ')}`] : []),
    ...invoke.map(({ src }) => `invokes ${src}`),
    ...inner.map(labelOf),
  ]
  if (notes.length === 0) return []
  return [`note right of ${id}`, ...notes.map(note => `  ${stateText(note)}`), 'end note']
}

function edgesOf(state: ChartState, idOf: IdOf): string[] {
  const own = state.transitions.flatMap(transition =>
    transition.targets.map(
      target => `${idOf(state.path)} --> ${idOf(target)}: ${stateText(labelOf(transition))}`,
    ),
  )
  return [...own, ...state.states.flatMap(child => edgesOf(child, idOf))]
}

const labelOf = ({ event, guard, actions }: ChartTransition) =>
  [
    event,
    ...(guard === undefined ? [] : [`[${guard}]`]),
    ...(actions.length > 0 ? [`/ ${actions.join(', ')}`] : []),
  ].join(' ')
