// Machines and steps as compact text, with the places of their parts in the source code.
import {
  type ChartState,
  type MachineChart,
  type MachinePart,
  type NamedTransition,
  namedTransitions,
  type PartPlace,
  positionIn,
  stateLabel,
  statesOf,
  type StepRecord,
  takenTransitions,
  timeInWords,
  type TraceHeader,
  type TraceSource,
} from '../../trace/index.ts'
import { name } from './output.ts'

/** The machines of a recording, or of the code on disk, with their positions in the source code. */
export type Charts = Pick<TraceHeader, 'machines' | 'sources'>

export type ShownTrace = Pick<TraceSource, 'header' | 'actors' | 'steps' | 'stimuli'>

/** ` (src/session.ts:12)`; empty if the position is unknown. */
export function place(charts: Charts, machine: string, part: MachinePart): string {
  const position = positionIn(charts, machine, part)
  return position ? ` (${name(`${position.file}:${position.line}`)})` : ''
}

/** One line per state and transition; those of `within` and below only, if it is given. */
export function* chartLines(
  charts: Charts,
  machine: string,
  chart: MachineChart,
  within = '',
): Generator<string> {
  for (const state of statesOf(chart).values()) {
    if (within !== '' && state.path !== within && !state.path.startsWith(`${within}.`)) continue
    const depth = state.path === '' ? 0 : state.path.split('.').length
    yield `${'  '.repeat(depth)}${stateText(charts, machine, state)}`
    for (const transition of namedTransitions(machine, state))
      yield `${'  '.repeat(depth + 1)}${transitionText(charts, machine, transition)}`
  }
}

function stateText(charts: Charts, machine: string, state: ChartState): string {
  const { path, type, initial, entry, exit, invoke, tags, description } = state
  const part: MachinePart = path === '' ? { kind: 'machine' } : { kind: 'state', name: path }
  const code = (list: 'entry' | 'exit', names: readonly string[]) =>
    names.length === 0
      ? []
      : [
          `${list} ${names.map((one, n) => named(charts, machine, 'action', one, { state: path, list, n })).join(', ')}`,
        ]
  return [
    `${path === '' ? `machine ${name(machine)}` : name(path)}${place(charts, machine, part)}`,
    ...(type === 'atomic' || type === 'compound' ? [] : [type]),
    ...(initial === undefined ? [] : [`initial ${name(initial)}`]),
    ...code('entry', entry),
    ...code('exit', exit),
    ...invoke.map(
      ({ src }, n) => `invoke ${named(charts, machine, 'actor', src, { state: path, list: 'invoke', n })}`,
    ),
    ...(tags.length === 0 ? [] : [`tags ${tags.map(name).join(', ')}`]),
    ...(description === undefined ? [] : [name(description)]),
  ].join('; ')
}

/** `authenticating#1 auth.failed [isFinal (src/a.ts:9)] → signedOut / setReason (src/a.ts:30) (src/a.ts:51)`. */
export function transitionText(charts: Charts, machine: string, transition: NamedTransition): string {
  const { name: own, event, guard, targets, actions, reenter } = transition
  const at = (n: number): PartPlace => ({ transition: own, n })
  return (
    [
      name(own),
      name(event),
      ...(guard === undefined ? [] : [`[${named(charts, machine, 'guard', guard, at(0))}]`]),
      ...(targets.length === 0 ? [] : [`→ ${targets.map(target => name(target || '(root)')).join(', ')}`]),
      ...(reenter ? ['reenter'] : []),
      ...(actions.length === 0
        ? []
        : [`/ ${actions.map((action, n) => named(charts, machine, 'action', action, at(n))).join(', ')}`]),
    ].join(' ') + place(charts, machine, { kind: 'transition', name: own })
  )
}

/** A name with the place of its code. One without a place of its own is at its transition or state, which has that. */
const named = (
  charts: Charts,
  machine: string,
  kind: 'guard' | 'action' | 'actor',
  text: string,
  at: PartPlace,
): string => {
  const own = positionIn(charts, machine, { kind, name: text, at })
  const user = positionIn(
    charts,
    machine,
    'transition' in at ? { kind: 'transition', name: at.transition } : { kind: 'state', name: at.state },
  )
  const isOwn = own && (own.line !== user?.line || own.file !== user.file)
  return isOwn ? `${name(text)} (${name(`${own.file}:${own.line}`)})` : name(text)
}

/** `#12 1.5 s client/session: auth.failed from client → signedOut`. */
export function stepText({ actors }: Pick<ShownTrace, 'actors'>, step: StepRecord): string {
  const pathOf = (index: number) => name(actors[index]?.path ?? `actor ${index}`)
  const { seq, t, actor, event, from, value, status, changed } = step
  const state = stateLabel(value)
  return [
    `#${seq} ${timeInWords(t)} ${pathOf(actor)}: ${name(event.type)}`,
    ...(from === undefined ? [] : [`from ${pathOf(from)}`]),
    ...(state === '' ? [] : [`→ ${name(state)}`]),
    ...(status === 'active' ? [] : [`(${status})`]),
    ...(changed ? [] : ['unchanged']),
  ].join(' ')
}

/** The step, and the transitions that it took with their places. */
export function stepLines(trace: ShownTrace, step: StepRecord, charts: Charts = trace.header): string[] {
  const machine = trace.actors[step.actor]?.src ?? ''
  const isKnown = Object.hasOwn(charts.machines, machine)
  const header = isKnown ? { ...trace.header, machines: charts.machines } : trace.header
  const taken = takenTransitions({ ...trace, header }, step)
  return [
    stepText(trace, step),
    ...taken.map(
      transition => `    by ${transitionText(isKnown ? charts : trace.header, machine, transition)}`,
    ),
  ]
}
