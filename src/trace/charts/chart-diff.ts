// The structural difference between two charts of a machine, state by state and transition by transition, and
// its text.
import {
  isSameMachine,
  type NamedTransition,
  namedTransitions,
  sameTransition,
  statesOf,
} from './chart-states.ts'
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import { jsonStart } from '../codec/json-text.ts'

/** A part of a transition that can change. */
type TransitionPart = 'event' | 'delay' | 'guard' | 'targets' | 'actions' | 'reenter'

/** One difference between two charts of the same machine. */
export interface ChartChange {
  readonly machine: string
  /** Path of the state; empty for the root. */
  readonly state: string
  readonly what:
    'state' | 'transition' | 'order' | 'initial' | 'type' | 'entry' | 'exit' | 'invoke' | 'tags' | 'history'
  /** Absent for additions. */
  readonly was?: NamedTransition | readonly string[]
  /** Absent for removals. */
  readonly is?: NamedTransition | readonly string[]
  /** The changed parts of a transition that is in both. */
  readonly parts?: readonly TransitionPart[]
}

/** Returns all differences between two charts of a machine, in the order of the states. */
export function chartDiff(then: MachineChart | undefined, now: MachineChart | undefined): ChartChange[] {
  const machine = now?.id ?? then?.id ?? ''
  if (!then || !now || isSameMachine(then, now)) return []
  const [before, after] = [statesOf(then), statesOf(now)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path): ChartChange[] => {
    const [old, fresh] = [before.get(path), after.get(path)]
    if (!old) return [{ machine, state: path, what: 'state', is: [path] }]
    if (!fresh) return [{ machine, state: path, what: 'state', was: [path] }]
    return [...partChanges(machine, old, fresh), ...transitionChanges(machine, old, fresh)]
  })
}

const PARTS = {
  type: ({ type }: ChartState) => [type],
  initial: ({ initial }: ChartState) => (initial === undefined ? [] : [initial]),
  entry: ({ entry }: ChartState) => entry,
  exit: ({ exit }: ChartState) => exit,
  invoke: ({ invoke }: ChartState) => invoke.map(({ id, src }) => (id === src ? src : `${id}: ${src}`)),
  tags: ({ tags }: ChartState) => tags,
  history: ({ history, fallback = [] }: ChartState) => (history === undefined ? [] : [history, ...fallback]),
} as const

function partChanges(machine: string, then: ChartState, now: ChartState): ChartChange[] {
  return (Object.keys(PARTS) as (keyof typeof PARTS)[]).flatMap(what => {
    const [old, fresh] = [PARTS[what](then), PARTS[what](now)]
    if (JSON.stringify(old) === JSON.stringify(fresh)) return []
    return [{ machine, state: then.path, what, was: old, is: fresh }]
  })
}

function transitionChanges(machine: string, then: ChartState, now: ChartState): ChartChange[] {
  const state = then.path
  const [before, after] = [namedTransitions(machine, then), namedTransitions(machine, now)]
  const added = [...after]
  const removed = before.filter(old => !take(added, one => isWhollySame(one, old)))
  if (removed.length === 0 && added.length === 0) {
    const moved = before.findIndex((old, at) => after[at] && !isWhollySame(after[at], old))
    const [old, fresh] = [before[moved], after[moved]]
    return old && fresh ? [{ machine, state, what: 'order', was: old, is: fresh }] : []
  }
  const pairs = new Map<NamedTransition, NamedTransition>()
  // Pairs the most similar transitions as changed ones; transitions with nothing in common count as removed
  // and added.
  for (const isAlike of ALIKE) {
    for (const old of removed) {
      const fresh = pairs.has(old) ? undefined : take(added, one => isAlike(old, one))
      if (fresh) pairs.set(old, fresh)
    }
  }
  const changed = removed.map((old): ChartChange => {
    const fresh = pairs.get(old)
    const both = fresh && { is: fresh, parts: changedParts(old, fresh) }
    return { machine, state, what: 'transition', was: old, ...both }
  })
  return [...changed, ...added.map((one): ChartChange => ({ machine, state, what: 'transition', is: one }))]
}

const isWhollySame = (a: ChartTransition, b: ChartTransition) =>
  sameTransition(a, b) && a.reenter === b.reenter && a.delay === b.delay

type Alike = (a: ChartTransition, b: ChartTransition) => boolean

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const sameRest: Alike = (a, b) =>
  same(a.targets, b.targets) && a.guard === b.guard && same(a.actions, b.actions)
const ALIKE: readonly Alike[] = [
  (a, b) => a.event === b.event && a.guard === b.guard,
  (a, b) => a.event === b.event && same(a.targets, b.targets),
  (a, b) => a.event === b.event,
  // A different delay, or a renamed event.
  (a, b) => kindOf(a) === kindOf(b) && sameRest(a, b),
]

function kindOf({ event }: ChartTransition): string {
  return /^(after|always|done|error|snapshot)\b/.exec(event)?.[0] ?? 'event'
}

function changedParts(then: ChartTransition, now: ChartTransition): TransitionPart[] {
  const event = kindOf(then) === 'after' ? 'delay' : 'event'
  return [
    ...(then.event === now.event && then.delay === now.delay ? [] : ([event] as const)),
    ...(['guard', 'targets', 'actions', 'reenter'] as const).filter(part => !same(then[part], now[part])),
  ]
}

/** Removes and returns the first match. */
function take<T>(list: T[], fits: (item: T) => boolean): T | undefined {
  const at = list.findIndex(fits)
  return at < 0 ? undefined : list.splice(at, 1)[0]
}

/** Formats a value as JSON, truncated if long. */
export function short(value: unknown, most = 80): string {
  return value === undefined ? 'absent' : jsonStart(value, most)
}

/** `exchanging#1 send.answered [isComplete] → answered / setStatus`. */
export function describeTransition({ name, event, guard, targets, actions }: NamedTransition): string {
  const to = targets.length === 0 ? '' : ` → ${targets.join(', ')}`
  const actionText = actions.length === 0 ? '' : ` / ${actions.join(', ')}`
  return `${name} ${event}${guard === undefined ? '' : ` [${guard}]`}${to}${actionText}`
}

/** Formats a change as one line. */
export function describeChange({ machine, state, what, was, is, parts = [] }: ChartChange): string {
  const place = [machine, ...(state === '' ? [] : [state])].join(' ')
  if (was === undefined) return `${place}: ${what} added: ${partInWords(is)}`
  if (is === undefined) return `${place}: ${what} removed: ${partInWords(was)}`
  const which = parts.length > 0 ? `${parts.join(' and ')} of a ${what}` : what
  const shown = [was, is].map(part => [partInWords(part), ...unnamed(part, parts)].join(', '))
  return `${place}: ${which}: was ${shown[0]}, is ${shown[1]}`
}

type Part = NonNullable<ChartChange['was']>

const partInWords = (value: Part | undefined) =>
  value === undefined ? 'none' : 'name' in value ? describeTransition(value) : short(value)

/** The changed parts that the transition's text does not show. */
function unnamed(part: Part, parts: NonNullable<ChartChange['parts']>): string[] {
  if (!('name' in part)) return []
  const { delay, event, reenter } = part
  const isNamed = delay === undefined || event === `after ${delay}`
  return [
    ...(parts.includes('delay') && !isNamed ? [`${delay} ms`] : []),
    ...(parts.includes('reenter') ? [reenter ? 're-entering' : 'not re-entering'] : []),
  ]
}
