// Explores every configuration of a machine with xstate/graph: which states occur and which events lead on.
import {
  createEmptyActor,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
} from 'xstate'
import { getAdjacencyMap } from 'xstate/graph'
import { raised } from '../../scripts/machine-docs/accepted-events.ts'

/** A machine with the events it takes. */
export interface Walk {
  readonly machine: AnyStateMachine
  readonly input: unknown
  /** Examples of each event, by type: enough for every guard to return both true and false. */
  readonly samples: Readonly<Record<string, readonly AnyEventObject[]>>
  /** The part of the context that distinguishes situations; the fewer values, the fewer situations. */
  /** Other inputs to start with. */
  readonly inputs?: readonly unknown[]
  /** Events that are not sent, to limit the number of situations. */
  readonly skips?: (event: AnyEventObject) => boolean
  readonly matter: (context: Readonly<Record<string, unknown>>) => unknown
}

export interface Explored {
  /** Paths of all states that occur. */
  readonly reached: ReadonlySet<string>
  /** Situations by name, with the names of those that one event reaches. */
  readonly next: ReadonlyMap<string, ReadonlySet<string>>
  readonly situations: ReadonlyMap<string, AnyMachineSnapshot>
}

const LIMIT = 400_000

/** All situations from every start. */
export function explore(walk: Walk): Explored {
  const parts = [walk.input, ...(walk.inputs ?? [])].map(input => exploreFrom({ ...walk, input }))
  return {
    reached: new Set(parts.flatMap(({ reached }) => [...reached])),
    next: new Map(parts.flatMap(({ next }) => [...next])),
    situations: new Map(parts.flatMap(({ situations }) => [...situations])),
  }
}

function exploreFrom({ machine, input, samples, matter, skips = () => false }: Walk): Explored {
  const scope = pureScope()
  const serialize = (snapshot: AnyMachineSnapshot) =>
    `${snapshot.status} ${JSON.stringify(snapshot.value)} ${JSON.stringify(matter(snapshot.context as {}))}`
  const logic = {
    transition: (snapshot: AnyMachineSnapshot, event: AnyEventObject) =>
      machine.transition(snapshot, event, scope),
    getInitialSnapshot: () => machine.getInitialSnapshot(scope, input as never),
  }
  const map = getAdjacencyMap(logic as unknown as AnyStateMachine, {
    events: snapshot =>
      eventsFor(snapshot as AnyMachineSnapshot, samples).filter(
        event => !skips(event) && !raised.includes(event.type),
      ),
    serializeState: snapshot => serialize(snapshot as AnyMachineSnapshot) as never,
    serializeEvent: event => JSON.stringify(event) as never,
    limit: LIMIT,
  })
  const reached = new Set<string>()
  const next = new Map<string, Set<string>>()
  const situations = new Map<string, AnyMachineSnapshot>()
  for (const [name, { state, transitions }] of Object.entries(map)) {
    const snapshot = state as AnyMachineSnapshot
    situations.set(name, snapshot)
    for (const node of snapshot._nodes as AnyStateNode[]) reached.add(node.path.join('.'))
    next.set(
      name,
      new Set(
        Object.values(transitions as Record<string, { state: unknown }>).map(to =>
          serialize(to.state as AnyMachineSnapshot),
        ),
      ),
    )
  }
  return { reached, next, situations }
}

/** Names of the situations that cannot reach a calm one. */
export function deadEnds(
  { next, situations }: Explored,
  isAtRest: (snapshot: AnyMachineSnapshot) => boolean,
): string[] {
  const before = new Map<string, string[]>()
  for (const [from, targets] of next)
    for (const to of targets) before.set(to, [...(before.get(to) ?? []), from])
  const good = new Set([...situations].filter(([, snapshot]) => isAtRest(snapshot)).map(([name]) => name))
  for (const name of good) for (const from of before.get(name) ?? []) good.add(from)
  return [...situations.keys()].filter(name => !good.has(name))
}

/** Every event that some active state handles; timers are XState's own events. */
function eventsFor(snapshot: AnyMachineSnapshot, samples: Walk['samples']): readonly AnyEventObject[] {
  if (snapshot.status !== 'active') return []
  const types = new Set(
    (snapshot._nodes as AnyStateNode[]).flatMap(node => node.ownEvents as readonly string[]),
  )
  return [...types].flatMap(type => {
    if (type.startsWith('xstate.after.')) return [{ type }]
    const known = Object.keys(samples).filter(name => name === type || isUnder(type, name))
    if (known.length === 0) throw new Error(`There is no sample of the event ${type}`)
    return known.flatMap(name => samples[name] ?? [])
  })
}

const isUnder = (descriptor: string, type: string) =>
  descriptor.endsWith('*') && type.startsWith(descriptor.slice(0, -1))

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
 * Paths of every state that the machine can rest in; a state that is always left at once is only passed
 * through.
 */
export function declaredStates(machine: AnyStateMachine): string[] {
  const isPassed = ({ always = [] }: AnyStateNode) =>
    always.some(({ guard, target }) => guard === undefined && target !== undefined)
  const visit = (node: AnyStateNode): string[] => [
    ...(isPassed(node) ? [] : [node.path.join('.')]),
    ...Object.values<AnyStateNode>(node.states).flatMap(visit),
  ]
  return visit(machine.root)
}
