// A machine's structure as plain data: enough to draw it, and a hash to detect changes.
import type { AnyActorLogic, AnyStateMachine, AnyStateNode } from 'xstate'
import { behaviorHash, type ChartState, type ChartTransition, type MachineChart } from '../../trace/index.ts'
import { machineSchemas } from './event-schemas.ts'

/** Descriptions of states by id, and of a state's n-th transition by the id and `#n`, that machines do not contain. */
const labels = new Map<string, string>()

/** Adds descriptions for the charts of machines that no longer contain them. */
export function addChartLabels(added: Readonly<Record<string, string>>): void {
  for (const [name, label] of Object.entries(added)) labels.set(name, label)
}

/**
 * Builds the chart of a machine. The hash covers structure, names and fixed delays, not descriptions or the
 * code behind names.
 */
export function machineChart(machine: AnyStateMachine): MachineChart {
  const root = toState(machine.root)
  const events = machineSchemas(machine)
  return { id: machine.id, hash: behaviorHash(root), root, ...(events && { events }) }
}

/**
 * Builds the charts of a machine and of all machines that it provides for its children, by id, without
 * invalid ones.
 */
export function machineCharts(root: AnyStateMachine): Record<string, MachineChart> {
  const charts = [...machinesOf(root)].map(([id, machine]) => [id, chartIfValid(machine)] as const)
  return Object.fromEntries(charts.flatMap(([id, chart]) => (chart ? [[id, chart]] : [])))
}

/** Returns undefined for an invalid machine: XState reports that only when an actor is created from it. */
function chartIfValid(machine: AnyStateMachine): MachineChart | undefined {
  try {
    return machineChart(machine)
  } catch {
    return undefined
  }
}

/**
 * Returns the machines of a system with any root. Machines that are only passed to `spawn` in code are not
 * found.
 */
export function systemCharts(root: AnyActorLogic): Record<string, MachineChart> {
  try {
    return isMachine(root) ? machineCharts(root) : {}
  } catch {
    // It only looks like a machine: its actor will be in the error state.
    return {}
  }
}

/**
 * Returns a machine and its child machines by id, both named and inline ones. Others with the same id, as machines
 * without one have, are numbered: `(machine)#2`.
 */
export function machinesOf(root: AnyStateMachine): Map<string, AnyStateMachine> {
  const found = new Map<string, AnyStateMachine>()
  const configs = new Set<unknown>()
  const add = (logic: unknown) => {
    if (typeof logic !== 'object' || logic === null || !isMachine(logic) || configs.has(logic.config)) return
    configs.add(logic.config)
    const same = withId(found, logic.id)
    if (same.some(([, other]) => isSameChart(other, logic))) return
    found.set(same.length === 0 ? logic.id : `${logic.id}#${same.length + 1}`, logic)
    Object.values(logic.implementations.actors as Record<string, unknown>).forEach(add)
    inlineLogic(logic.root).forEach(add)
  }
  add(root)
  return found
}

const withId = (machines: ReadonlyMap<string, AnyStateMachine>, id: string) =>
  [...machines].filter(([, machine]) => machine.id === id)

const isSameChart = (a: AnyStateMachine, b: AnyStateMachine): boolean =>
  chartIfValid(a)?.hash === chartIfValid(b)?.hash

/**
 * Returns the key of each machine in `machinesOf(root)`. A machine that only code spawns, and that is none of those with
 * its id, has the number 0.
 */
export function machineKeys(root: AnyActorLogic): (machine: AnyStateMachine) => string {
  const found = isMachine(root) ? machinesOf(root) : new Map<string, AnyStateMachine>()
  const keys = new WeakMap<object, string>()
  for (const [key, { config }] of found) keys.set(config, key)
  const keyOf = (machine: AnyStateMachine): string => {
    const same = withId(found, machine.id)
    if (same.length === 0) return machine.id
    return same.find(([, other]) => isSameChart(other, machine))?.[0] ?? `${machine.id}#0`
  }
  return machine => {
    const known = keys.get(machine.config)
    if (known !== undefined) return known
    const key = keyOf(machine)
    keys.set(machine.config, key)
    return key
  }
}

function inlineLogic(node: AnyStateNode): unknown[] {
  const { invoke } = node.config as { readonly invoke?: unknown }
  const invoked = (Array.isArray(invoke) ? invoke : [invoke]) as readonly unknown[]
  const transitions = [...node.transitions.values()].flat()
  const actions: readonly unknown[] = [
    node.entry,
    node.exit,
    transitions.map(({ actions: all }) => all),
  ].flat(2)
  const inside = Object.values<AnyStateNode>(node.states).flatMap(inlineLogic)
  return [...[...invoked, ...actions].map(sourceOf), ...inside]
}

function sourceOf(holder: unknown): unknown {
  const isObject = (typeof holder === 'object' && holder !== null) || typeof holder === 'function'
  return isObject && 'src' in holder ? holder.src : holder
}

export function isMachine(logic: object): logic is AnyStateMachine {
  return 'implementations' in logic && 'root' in logic
}

function toState(node: AnyStateNode): ChartState {
  const description = node.description ?? labels.get(node.id)
  const initial = node.initial?.target?.[0]?.key
  return {
    path: node.path.join('.'),
    key: node.key,
    type: node.type,
    ...(initial !== undefined && node.type === 'compound' && { initial }),
    ...(node.type === 'history' && historyOf(node)),
    states: Object.values<AnyStateNode>(node.states).map(toState),
    transitions: transitionsOf(node).map(([transition, descriptor], n) =>
      toTransition(
        transition,
        descriptor === undefined ? 'always' : eventLabel(descriptor, node),
        `${node.id}#${n}`,
      ),
    ),
    entry: names(node.entry),
    exit: names(node.exit),
    invoke: node.invoke.map(({ id, src }) => ({ id, src: typeof src === 'string' ? src : '(anonymous)' })),
    tags: [...node.tags],
    ...(description !== undefined && { description }),
  }
}

function historyOf(node: AnyStateNode): Pick<ChartState, 'history' | 'fallback'> {
  const { target } = node.config as { readonly target?: unknown }
  const targets = (Array.isArray(target) ? target : [target]) as readonly unknown[]
  const above = node.parent?.path ?? []
  const fallback = targets.flatMap(one => (typeof one === 'string' ? [[...above, one].join('.')] : []))
  return { history: node.history === 'deep' ? 'deep' : 'shallow', ...(fallback.length > 0 && { fallback }) }
}

/** A transition as stored by XState. */
export type TransitionNode = NonNullable<AnyStateNode['always']>[number]

/** Returns a state's transitions in chart order, with their descriptors: eventless ones first. */
export function transitionsOf(node: AnyStateNode): [TransitionNode, descriptor?: string][] {
  const always = (node.always ?? []).map((one): [TransitionNode] => [one])
  const others = [...node.transitions].flatMap(([descriptor, list]) =>
    list.map((one): [TransitionNode, string] => [one, descriptor]),
  )
  return [...always, ...others]
}

function toTransition(transition: TransitionNode, event: string, name: string): ChartTransition {
  const description = transition.description ?? labels.get(name)
  const guard = transition.guard === undefined ? undefined : guardName(transition.guard)
  return {
    event,
    targets: (transition.target ?? []).map((target: AnyStateNode) => target.path.join('.')),
    ...(guard !== undefined && { guard }),
    actions: names(transition.actions),
    ...(transition.reenter && { reenter: true as const }),
    ...delayOf(transition),
    ...(description !== undefined && { description }),
  }
}

/** Returns the milliseconds of an `after` with a numeric delay, inline or named. */
function delayOf(transition: TransitionNode): Pick<ChartTransition, 'delay'> {
  const given: unknown = 'delay' in transition ? transition.delay : undefined
  const named = transition.source.machine.implementations.delays as Readonly<Record<string, unknown>>
  const delay = typeof given === 'string' ? named[given] : given
  return typeof delay === 'number' && Number.isFinite(delay) ? { delay } : {}
}

/** Translates XState's internal event types. */
function eventLabel(descriptor: string, node: AnyStateNode): string {
  const suffix = `.${node.id}`
  if (descriptor.startsWith('xstate.after.')) {
    const rest = descriptor.slice('xstate.after.'.length)
    return `after ${rest.endsWith(suffix) ? rest.slice(0, -suffix.length) : rest}`
  }
  if (descriptor.startsWith('xstate.done.state.')) return 'done'
  const [, kind, id] = /^xstate\.(done\.actor|error\.actor|snapshot)\.(.*)$/.exec(descriptor) ?? []
  if (kind === undefined) return descriptor
  const src = node.invoke.find(invoke => invoke.id === id)?.src
  return `${kind.replace('.actor', '')} ${typeof src === 'string' ? src : id}`
}

/** Returns the name of a guard in a chart. */
export function guardName(guard: unknown): string {
  if (typeof guard === 'string') return guard
  if (typeof guard === 'function') {
    const parts = 'guards' in guard && Array.isArray(guard.guards) ? guard.guards.map(guardName) : undefined
    return parts ? `${guard.name}(${parts.join(', ')})` : guard.name || '(anonymous)'
  }
  return typeof guard === 'object' && guard !== null && 'type' in guard ? String(guard.type) : '(anonymous)'
}

/** Timers that XState adds for `after` are left out: the transition already contains them. */
function names(actions: readonly unknown[]): string[] {
  return actions.map(actionName).filter(name => !name.startsWith('xstate.after.'))
}

function actionName(action: unknown): string {
  if (typeof action === 'string') return action
  if (typeof action === 'function') {
    const built = action as { readonly type?: unknown; readonly event?: unknown; readonly sendId?: unknown }
    const after =
      typeof built.event === 'object' && built.event !== null && 'type' in built.event
        ? built.event.type
        : built.sendId
    if (typeof after === 'string' && after.startsWith('xstate.after.')) return after
    return typeof built.type === 'string' ? built.type.replace('xstate.', '') : action.name || '(anonymous)'
  }
  return typeof action === 'object' && action !== null && 'type' in action
    ? String(action.type)
    : '(anonymous)'
}
