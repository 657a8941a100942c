// Explores every situation of a machine with xstate/graph: which states occur, and which events lead on.
import {
  createEmptyActor,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
} from 'xstate'
import { getAdjacencyMap } from 'xstate/graph'
import type { Spec } from '../../machines/index.ts'
import { allEvents, invokedEvents } from './samples.ts'

/** What exploration found; all lists are empty if nothing is wrong. */
export interface Exploration {
  /** How many situations there are: states with what distinguishes their contexts. */
  readonly situations: number
  /** Paths of states that never occur. */
  readonly unreachable: readonly string[]
  /** Situations that can reach neither the specification's goal nor the machine's end. */
  readonly deadEnds: readonly string[]
}

const LIMIT = 400_000

/**
 * Sends every sample to the machine in every situation that samples can bring it to, from each input. No actor is
 * started; of actions, only what XState computes runs: guards, `assign`, and the expressions of `sendTo` and the like.
 * @throws Error if a handled event has no sample, or a transition throws
 */
export function explore(spec: Spec): Exploration {
  const parts = spec.inputs.map(input => exploreFrom(spec, input))
  const reachedPaths = new Set(parts.flatMap(part => [...part.reachedPaths]))
  const next = new Map(parts.flatMap(part => [...part.next]))
  const situations = new Map(parts.flatMap(part => [...part.situations]))
  return {
    situations: situations.size,
    unreachable: declaredStates(spec.machine).filter(path => !reachedPaths.has(path)),
    deadEnds: deadEnds(next, situations, spec.goal),
  }
}

interface Explored {
  readonly reachedPaths: ReadonlySet<string>
  /** Situations by name, with the names of those that one event reaches. */
  readonly next: ReadonlyMap<string, ReadonlySet<string>>
  readonly situations: ReadonlyMap<string, AnyMachineSnapshot>
}

function exploreFrom(spec: Spec, input: unknown): Explored {
  const { machine, skips, raised } = spec
  const scope = pureScope()
  const situation = spec.situation as (context: unknown) => unknown
  const nameOf = (snapshot: AnyMachineSnapshot) =>
    `${snapshot.status} ${JSON.stringify(snapshot.value)} ${JSON.stringify(situation(snapshot.context))}`
  const transition = (snapshot: AnyMachineSnapshot, event: AnyEventObject) => {
    try {
      return machine.transition(snapshot, event, scope)
    } catch (error) {
      const state = JSON.stringify(snapshot.value)
      throw new Error(`${machine.id} in ${state} throws on ${JSON.stringify(event)}: ${String(error)}`, {
        cause: error,
      })
    }
  }
  const logic = { transition, getInitialSnapshot: () => machine.getInitialSnapshot(scope, input as never) }
  const samples = allEvents(spec)
  const map = getAdjacencyMap(logic as unknown as AnyStateMachine, {
    events: snapshot =>
      eventsFor(snapshot as AnyMachineSnapshot, spec, samples).filter(
        event => !skips(event) && !raised.includes(event.type),
      ),
    serializeState: snapshot => nameOf(snapshot as AnyMachineSnapshot) as never,
    serializeEvent: event => JSON.stringify(event) as never,
    limit: LIMIT,
  })
  const reachedPaths = new Set<string>()
  const reach = (nodes: readonly AnyStateNode[]) => {
    for (const node of nodes) reachedPaths.add(node.path.join('.'))
  }
  const next = new Map<string, Set<string>>()
  const situations = new Map<string, AnyMachineSnapshot>()
  for (const [name, { state, transitions }] of Object.entries(map)) {
    const snapshot = state as AnyMachineSnapshot
    situations.set(name, snapshot)
    reach(snapshot._nodes as AnyStateNode[])
    const targets = Object.values(transitions as Record<string, { state: unknown }>)
    next.set(name, new Set(targets.map(to => nameOf(to.state as AnyMachineSnapshot))))
  }
  // States that are left within the step that enters them, as the last one of a parent that is then done. One with
  // eventless transitions must be seen to stay.
  if (declaredStates(machine).some(path => !reachedPaths.has(path)))
    for (const { state, transitions } of Object.values(map))
      for (const { event } of Object.values(transitions as Record<string, { event: AnyEventObject }>))
        for (const { _nodes } of machine.microstep(state as AnyMachineSnapshot, event, scope))
          reach((_nodes as AnyStateNode[]).filter(({ always = [] }) => always.length === 0))
  return { reachedPaths, next, situations }
}

/** Names of the situations that can reach neither a goal nor an end. */
function deadEnds(
  next: Explored['next'],
  situations: Explored['situations'],
  isGoal: Spec['goal'],
): string[] {
  const before = new Map<string, string[]>()
  for (const [from, targets] of next)
    for (const to of targets) before.set(to, [...(before.get(to) ?? []), from])
  const isEnd = (snapshot: AnyMachineSnapshot) => snapshot.status === 'done' || isGoal(snapshot)
  const safe = new Set([...situations].filter(([, snapshot]) => isEnd(snapshot)).map(([name]) => name))
  for (const name of safe) for (const from of before.get(name) ?? []) safe.add(from)
  return [...situations.keys()].filter(name => !safe.has(name))
}

/** Every event that some active state handles; timers are XState's own events. */
function eventsFor(
  snapshot: AnyMachineSnapshot,
  spec: Spec,
  samples: ReturnType<typeof allEvents>,
): readonly AnyEventObject[] {
  if (snapshot.status !== 'active') return []
  const nodes = snapshot._nodes as AnyStateNode[]
  const invoked = Object.assign({}, ...nodes.map(node => invokedEvents(spec, node))) as typeof samples
  const types = new Set(nodes.flatMap(node => node.ownEvents as readonly string[]))
  return [...types].flatMap(type => {
    if (type.startsWith('xstate.after.')) return [{ type }]
    // The machine raises it itself.
    if (type.startsWith('xstate.done.state.')) return []
    const examples = { ...samples, ...invoked }
    const names = Object.keys(examples).filter(name => name === type || isUnder(type, name))
    if (names.length === 0 && !type.endsWith('*'))
      throw new Error(`${spec.machine.id} handles ${type}, of which its specification has no sample.`)
    return names.flatMap(name => examples[name] ?? [])
  })
}

const isUnder = (descriptor: string, type: string) =>
  descriptor.endsWith('*') && type.startsWith(descriptor.slice(0, -1)) && !type.startsWith('xstate.')

/** What computing a transition needs without starting or sending anything. */
function pureScope() {
  const self = createEmptyActor()
  Object.assign(self, { _parent: createEmptyActor() })
  return {
    self,
    id: 'explored',
    sessionId: 'explored',
    logger: () => undefined,
    defer: () => undefined,
    system: self.system,
    stopChild: () => undefined,
    emit: () => undefined,
    actionExecutor: () => undefined,
  } as unknown as Parameters<AnyStateMachine['transition']>[2]
}

/**
 * Paths of every state that the machine can rest in; a state that is always left at once is only passed through.
 */
export function declaredStates(machine: AnyStateMachine): string[] {
  const isPassed = ({ type, always = [] }: AnyStateNode) =>
    type === 'history' || always.some(({ guard, target }) => guard === undefined && target !== undefined)
  const visit = (node: AnyStateNode): string[] => [
    ...(isPassed(node) ? [] : [node.path.join('.')]),
    ...Object.values<AnyStateNode>(node.states).flatMap(visit),
  ]
  return visit(machine.root)
}
