// Machines and steps as compact text, with the places of their parts in the source code.
import {
  activeNodePaths,
  activePaths,
  type ChartState,
  leafPaths,
  type MachineChart,
  type MachinePart,
  type NamedTransition,
  namedTransitions,
  type PartPlace,
  positionIn,
  sourceOfName,
  stateLabel,
  statesOf,
  type StepRecord,
  takenTransitions,
  timeInWords,
  type TraceHeader,
  type TraceSource,
  wildcardTest,
} from '../../trace/index.ts'
import { name } from './output.ts'

/** The machines of a recording, or of the code on disk, with their positions in the source code. */
export type Charts = Pick<TraceHeader, 'machines' | 'sources'>

export type ShownTrace = Pick<TraceSource, 'header' | 'actors' | 'steps' | 'stimuli'>

/** ` (src/session.ts:12)`; empty if the position is unknown. */
function place(charts: Charts, machine: string, part: MachinePart): string {
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
function transitionText(charts: Charts, machine: string, transition: NamedTransition): string {
  const { name: transitionName, event, guard, targets, actions, reenter } = transition
  const at = (n: number): PartPlace => ({ transition: transitionName, n })
  return (
    [
      name(transitionName),
      `${name(event)}${delayPlace(charts, machine, event)}`,
      ...(guard === undefined ? [] : [`[${named(charts, machine, 'guard', guard, at(0))}]`]),
      ...(targets.length === 0 ? [] : [`→ ${targets.map(target => name(target || '(root)')).join(', ')}`]),
      ...(reenter ? ['reenter'] : []),
      ...(actions.length === 0
        ? []
        : [`/ ${actions.map((action, n) => named(charts, machine, 'action', action, at(n))).join(', ')}`]),
    ].join(' ') + place(charts, machine, { kind: 'transition', name: transitionName })
  )
}

/** The place of the delay of `after NAME`. */
const delayPlace = (charts: Charts, machine: string, event: string): string =>
  event.startsWith('after ')
    ? place(charts, machine, { kind: 'delay', name: event.slice('after '.length) })
    : ''

/** A name with the place of its code, unless that is the place of its transition or state. */
const named = (
  charts: Charts,
  machine: string,
  kind: 'guard' | 'action' | 'actor',
  text: string,
  at: PartPlace,
): string => {
  const ownPosition = positionIn(charts, machine, { kind, name: text, at })
  const user = positionIn(
    charts,
    machine,
    'transition' in at ? { kind: 'transition', name: at.transition } : { kind: 'state', name: at.state },
  )
  const isOwn = ownPosition && (ownPosition.line !== user?.line || ownPosition.file !== user.file)
  return isOwn ? `${name(text)} (${name(`${ownPosition.file}:${ownPosition.line}`)})` : name(text)
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

/** The step, the transitions that it took, and those before them that a guard refused, with their places. */
export function stepLines(trace: ShownTrace, step: StepRecord, charts: Charts = trace.header): string[] {
  const machine = trace.actors[step.actor]?.src ?? ''
  const isKnown = Object.hasOwn(charts.machines, machine)
  const used = isKnown ? charts : trace.header
  const chart = Object.hasOwn(used.machines, machine) ? used.machines[machine] : undefined
  const source = { ...trace, header: { ...trace.header, machines: used.machines } }
  const transitionsTaken = takenTransitions(source, step)
  const notTaken = chart ? otherTransitions(source, step, chart, transitionsTaken) : []
  return [
    stepText(trace, step),
    ...transitionsTaken.map(transition => `    by ${transitionText(used, machine, transition)}`),
    ...notTaken.map(([word, transition]) => `    ${word} ${transitionText(used, machine, transition)}`),
    ...(chart ? entryLines(trace, step, used, chart) : []),
    ...(chart && step.status === 'error' ? failedIn(trace, step, used, chart) : []),
  ]
}

/** The entry actions of the states that the step entered. */
function entryLines(trace: ShownTrace, step: StepRecord, charts: Charts, chart: MachineChart): string[] {
  const machine = trace.actors[step.actor]?.src ?? ''
  const states = statesOf(chart)
  const previousPaths = new Set(activePaths(latestBefore(trace, step)?.value))
  return activePaths(step.value).flatMap(path => {
    const entry = previousPaths.has(path) ? [] : (states.get(path)?.entry ?? [])
    if (entry.length === 0) return []
    const actions = entry.map((one, n) =>
      named(charts, machine, 'action', one, { state: path, list: 'entry', n }),
    )
    return [`    entry of ${name(path)}: ${actions.join(', ')}`]
  })
}

/** The states in which a step failed: nothing of them may handle its event. */
function failedIn(trace: ShownTrace, step: StepRecord, charts: Charts, chart: MachineChart): string[] {
  const states = statesOf(chart)
  return leafPaths(latestBefore(trace, step)?.value).flatMap(path => {
    const state = states.get(path)
    return state ? [`    in ${stateText(charts, trace.actors[step.actor]?.src ?? '', state)}`] : []
  })
}

const latestBefore = ({ steps }: ShownTrace, { seq, actor }: StepRecord): StepRecord | undefined =>
  steps.slice(0, seq).findLast(one => one.actor === actor)

/** Most other transitions of a step that are listed. */
const MOST_OTHERS = 8

/** Transitions that were tried before those that were taken; for a failed step, those that may have thrown. */
function otherTransitions(
  trace: ShownTrace,
  step: StepRecord,
  chart: MachineChart,
  transitionsTaken: readonly NamedTransition[],
): (readonly [word: string, transition: NamedTransition])[] {
  const states = statesOf(chart)
  const ofState = (path: string) => namedTransitions(chart.id, states.get(path))
  const refused = transitionsTaken.flatMap(({ name: takenName, event }) => {
    const siblings = ofState(sourceOfName(takenName))
    const before = siblings.slice(
      0,
      siblings.findIndex(one => one.name === takenName),
    )
    return before.filter(one => one.event === event && one.guard !== undefined)
  })
  if (step.status !== 'error') return refused.slice(0, MOST_OTHERS).map(one => ['not', one] as const)
  const previous = latestBefore(trace, step)
  const handling = activeNodePaths(previous?.value)
    .flatMap(ofState)
    .filter(({ event }) => wildcardTest(event)(step.event.type) || isResultOf(event, step.event.type))
  const enteredStates = [...transitionsTaken, ...handling].flatMap(({ targets }) => targets).flatMap(ofState)
  const all = [...handling, ...enteredStates.filter(({ event }) => event === 'always')]
  const names = new Set(transitionsTaken.map(one => one.name))
  return all
    .filter(one => !names.has(one.name) && names.add(one.name))
    .slice(0, MOST_OTHERS)
    .map(one => ['perhaps', one] as const)
}

/** Whether a transition of this name, such as `done load`, is for an event of XState. */
const isResultOf = (event: string, type: string): boolean =>
  (event.startsWith('done ') && type.startsWith('xstate.done.')) ||
  (event.startsWith('error ') && type.startsWith('xstate.error.')) ||
  (event.startsWith('after ') && type.startsWith('xstate.after.'))
