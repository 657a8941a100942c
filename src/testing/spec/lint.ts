// What a machine's structure shows without running it: names that are missing, and states and transitions that can
// never be used.
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { type Spec, specify } from '../../machines/index.ts'
import { machineSource } from '../../services/runtime/index.ts'
import { positionIn, type SourcePosition } from '../../trace/index.ts'
import { explore } from './explore.ts'
import { checkPairs } from './pairs.ts'
import { allNodes } from './samples.ts'

/** What a finding is about. */
export type LintRule =
  | 'anonymous'
  | 'built-in'
  | 'not-implemented'
  | 'unreachable-state'
  | 'unreachable-transition'
  | 'unhandled-event'
  | 'stale-reason'
  | 'dead-end'

/** Something that is wrong with a machine or its specification. */
export interface LintFinding {
  readonly rule: LintRule
  /** Id of the machine. */
  readonly machine: string
  /** Path of the state; empty for the root. */
  readonly state: string
  /** One sentence: what is wrong, and what to do. */
  readonly message: string
  /** Where the state is in the source code, if its module was loaded with the transform for source positions. */
  readonly at?: SourcePosition
}

/** Options of `lintMachine`. */
export interface LintOptions {
  /**
   * For a machine without a specification: also lists events that some states handle and others do not, as if each
   * event could arrive in any state. Default: false.
   */
  readonly pairs?: boolean
}

/**
 * Checks a machine: that actions, guards, actors and delays have names and implementations, and that each state and
 * transition can be used. With a specification also that each event is handled or ignored for a reason, and, by
 * exploration, that every state can be reached and left.
 */
export function lintMachine(
  given: AnyStateMachine | Spec,
  { pairs = false }: LintOptions = {},
): LintFinding[] {
  const spec = 'machine' in given && 'events' in given ? (given as Spec) : undefined
  const machine = spec?.machine ?? (given as AnyStateMachine)
  const nodes = allNodes(machine.root)
  const source = machineSource(machine)
  const finding = ({ path }: Pick<AnyStateNode, 'path'>, rule: LintRule, message: string): LintFinding => {
    const state = path.join('.')
    const trace = source ? { sources: { [machine.id]: source } } : {}
    const at = positionIn(trace, machine.id, { kind: 'state', name: state })
    return { rule, machine: machine.id, state, message, ...(at && { at }) }
  }
  return [
    ...nodes.flatMap(node => [
      ...nameless(node).map(([rule, message]) => finding(node, rule, message)),
      ...missing(machine, node).map(message => finding(node, 'not-implemented', message)),
      ...shadowed(node).map(message => finding(node, 'unreachable-transition', message)),
    ]),
    ...(spec
      ? ofSpec(spec, finding)
      : [
          ...untargeted(machine).map(node => finding(node, 'unreachable-state', NEVER)),
          ...(pairs ? pairsOf(withEvents(machine), finding) : []),
        ]),
  ]
}

const NEVER = 'No transition and no initial state has it as its target: remove it, or add a transition to it.'

type Make = (node: Pick<AnyStateNode, 'path'>, rule: LintRule, message: string) => LintFinding

/** A specification with all events that a state handles, of which nothing else is known. */
const withEvents = (machine: AnyStateMachine): Spec =>
  specify(machine, {
    about: '',
    events: Object.fromEntries(
      [...new Set(machine.events as readonly string[])]
        .filter(type => !type.startsWith('xstate.') && !type.endsWith('*'))
        .map(type => [type, []]),
    ),
    rests: () => true,
  })

function pairsOf(spec: Spec, finding: Make): LintFinding[] {
  const { unexplained, stale } = checkPairs(spec)
  return [
    ...unexplained.map(({ state, event }) =>
      finding(
        pathOf(state),
        'unhandled-event',
        `${event} can arrive and is not handled: handle it, or add it to \`ignored\` with the reason.`,
      ),
    ),
    ...stale.map(({ state, event }) =>
      finding(
        pathOf(state),
        'stale-reason',
        `${event} is in \`ignored\`, but it is handled there or cannot arrive: remove it.`,
      ),
    ),
  ]
}

const pathOf = (state: string) => ({ path: state === '' ? [] : state.split('.') })

function ofSpec(spec: Spec, finding: Make): LintFinding[] {
  const { unreachable, deadEnds } = explore(spec)
  return [
    ...pairsOf(spec, finding),
    ...unreachable.map(state =>
      finding(
        pathOf(state),
        'unreachable-state',
        'No samples reach it: add a sample for which the guards on the way pass, or tell more contexts apart in `situation`, or remove it.',
      ),
    ),
    ...deadEnds.map(situation =>
      finding(pathOf(''), 'dead-end', `No events lead from this situation to the goal: ${situation}`),
    ),
  ]
}

type Transition = NonNullable<AnyStateNode['always']>[number]

/** The transitions of a state in the order in which they are tried, with what triggers them. */
function transitionsOf(node: AnyStateNode): (readonly [string, readonly Transition[]])[] {
  return [
    ['always', node.always ?? []],
    ...[...node.transitions].map(([event, list]) => [event, list] as const),
  ]
}

/** The place of something, for a message. */
const on = (event: string) =>
  event === 'always' ? 'an eventless transition' : `the transition on ${nameOf(event)}`

/** An event's type as charts name it. */
function nameOf(event: string): string {
  const [, kind = '', of = '', ...rest] = event.split('.')
  if (!event.startsWith('xstate.')) return event
  if (kind === 'after') return `after ${of}`
  return of === 'actor' ? `${kind} of ${rest.join('.')}` : kind
}

function nameless(node: AnyStateNode): (readonly [LintRule, string])[] {
  const actions = [
    ...node.entry.map(action => ['the entry', action] as const),
    ...node.exit.map(action => ['the exit', action] as const),
    ...transitionsOf(node).flatMap(([event, list]) =>
      list.flatMap(transition => transition.actions.map((action: unknown) => [on(event), action] as const)),
    ),
  ]
  const guards = transitionsOf(node).flatMap(([event, list]) =>
    list.flatMap(({ guard }) => (guard === undefined ? [] : [[on(event), guard] as const])),
  )
  const actors = node.invoke.filter(({ src }) => typeof src !== 'string' || src.startsWith('xstate.invoke.'))
  return [
    ...actions.flatMap(([place, action]) => actionFinding(place, action)),
    ...guards.flatMap(([place, guard]) =>
      isNamelessGuard(guard)
        ? [
            [
              'anonymous',
              `The guard of ${place} is a function in the machine: name it in setup({ guards }).`,
            ] as const,
          ]
        : [],
    ),
    ...actors.map(
      ({ id }) =>
        [
          'anonymous',
          `The actor ${id} is written in the machine: name it in setup({ actors }), so that tests can replace it.`,
        ] as const,
    ),
  ]
}

/** XState's combinations have a `check`, and most of them the combined guards. */
function isNamelessGuard(guard: unknown): boolean {
  if (typeof guard !== 'function') return false
  if ('guards' in guard && Array.isArray(guard.guards)) return guard.guards.some(isNamelessGuard)
  return !('check' in guard)
}

function actionFinding(place: string, action: unknown): (readonly [LintRule, string])[] {
  if (typeof action !== 'function') return []
  const type: unknown = 'type' in action ? action.type : undefined
  if (typeof type !== 'string')
    return [
      ['anonymous', `An action of ${place} is a function in the machine: name it in setup({ actions }).`],
    ]
  // XState's own timers of \`after\`.
  if (isTimer(action)) return []
  const name = type.replace('xstate.', '')
  return [
    [
      'built-in',
      `${capital(place)} has a bare ${name}: name it in setup({ actions }), after what it is for.`,
    ],
  ]
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function isTimer(action: object): boolean {
  const { event, sendId } = action as { readonly event?: unknown; readonly sendId?: unknown }
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : sendId
  return typeof type === 'string' && type.startsWith('xstate.after.')
}

/** Names without an implementation: XState fails when it comes to them. */
function missing({ implementations }: AnyStateMachine, node: AnyStateNode): string[] {
  const { actions, guards, actors, delays } = implementations as unknown as Readonly<
    Record<'actions' | 'guards' | 'actors' | 'delays', Readonly<Record<string, unknown>>>
  >
  const transitions = transitionsOf(node).flatMap(([, list]) => list)
  const nameOfPart = (value: unknown) =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null && 'type' in value
        ? [String(value.type)]
        : []
  const guardNames = (guard: unknown): string[] =>
    typeof guard === 'function' && 'guards' in guard && Array.isArray(guard.guards)
      ? guard.guards.flatMap(guardNames)
      : nameOfPart(guard)
  const all = [
    [
      'action',
      actions,
      [...node.entry, ...node.exit, ...transitions.flatMap(one => one.actions)].flatMap(nameOfPart),
    ],
    ['guard', guards, transitions.flatMap(({ guard }) => guardNames(guard))],
    [
      'actor',
      actors,
      node.invoke.flatMap(({ src }) => nameOfPart(src)).filter(src => !src.startsWith('xstate.invoke.')),
    ],
    [
      'delay',
      delays,
      Object.keys((node.config.after ?? {}) as object).filter(key => Number.isNaN(Number(key))),
    ],
  ] as const
  return all.flatMap(([kind, known, names]) =>
    [...new Set(names)]
      .filter(name => !Object.hasOwn(known, name) && !name.startsWith('xstate.'))
      .map(name => `The ${kind} ${name} is not implemented: add it to setup({ ${kind}s }).`),
  )
}

/** Transitions after one that is always taken. */
function shadowed(node: AnyStateNode): string[] {
  return transitionsOf(node).flatMap(([event, list]) => {
    const at = list.findIndex(({ guard }) => guard === undefined)
    return at === -1 || at === list.length - 1
      ? []
      : [`${capital(on(event))}: what follows the first one without a guard is never tried.`]
  })
}

/** States to which nothing leads; of those inside each other, the outer ones. */
function untargeted({ root }: AnyStateMachine): AnyStateNode[] {
  const entered = new Set<AnyStateNode>()
  const reach = (node: AnyStateNode): void => {
    if (entered.has(node)) return
    entered.add(node)
    if (node.parent) reach(node.parent)
    const inside =
      node.type === 'parallel' ? Object.values<AnyStateNode>(node.states) : (node.initial?.target ?? [])
    const targets = transitionsOf(node).flatMap(([, list]) =>
      list.flatMap(({ target = [] }) => target as AnyStateNode[]),
    )
    for (const next of [...(inside as AnyStateNode[]), ...targets]) reach(next)
  }
  reach(root)
  return allNodes(root).filter(
    node =>
      node.type !== 'history' && !entered.has(node) && node.parent !== undefined && entered.has(node.parent),
  )
}
