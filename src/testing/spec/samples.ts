// The samples of a specification as events.
import type { AnyEventObject, AnyStateNode } from 'xstate'
import type { Spec } from '../../machines/index.ts'

type ByType = Readonly<Record<string, readonly AnyEventObject[]>>

const eventsOf = (samples: Readonly<Record<string, readonly object[] | undefined>> = {}): ByType =>
  Object.fromEntries(
    Object.entries(samples).map(([type, payloads = []]) => [
      type,
      payloads.map(payload => ({ ...payload, type })),
    ]),
  )

/** The events that a port sends, by type. */
export const sentByPort = (spec: Spec, port: string): ByType => eventsOf(spec.ports[port]?.sends)

/** The events that other actors than ports send the machine, by type. */
export const reportedEvents = (spec: Spec): ByType => eventsOf(spec.events)

/** All events, by type; of several ports that send the same type, those of each. */
export function allEvents(spec: Spec): ByType {
  const all: Record<string, AnyEventObject[]> = {}
  const groups = [reportedEvents(spec), ...Object.keys(spec.ports).map(port => sentByPort(spec, port))]
  for (const [type, events] of groups.flatMap(group => Object.entries(group)))
    all[type] = [...(all[type] ?? []), ...events]
  return Object.fromEntries(Object.entries(all).map(([type, events]) => [type, distinct(events)]))
}

function distinct(events: readonly AnyEventObject[]): AnyEventObject[] {
  return [...new Map(events.map(event => [JSON.stringify(event), event])).values()]
}

/** Whether a state that invokes the actor handles its end or its error. */
const handles = (spec: Spec, name: string, end: 'done' | 'error') =>
  allNodes(spec.machine.root).some(node =>
    node.invoke.some(
      ({ id, src }) =>
        src === name && lineOf(node).some(one => one.transitions.has(`xstate.${end}.actor.${id}`)),
    ),
  )

/** The state, and those around it. */
const lineOf = (node: AnyStateNode): AnyStateNode[] => [...(node.parent ? lineOf(node.parent) : []), node]

/** The state and all its descendants, parents first. */
export const allNodes = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values<AnyStateNode>(node.states).flatMap(allNodes),
]

/** How an actor may end. */
export interface Results {
  readonly outputs: readonly unknown[]
  readonly errors: readonly unknown[]
}

/** How a port ends, if it is a promise: it has outputs or errors, or a state waits for its end. */
export function promiseResults(spec: Spec, name: string): Results | undefined {
  const port = spec.ports[name]
  if (!port || port.sends) return undefined
  const fails = handles(spec, name, 'error')
  if (!port.outputs && !port.errors && !fails && !handles(spec, name, 'done')) return undefined
  const { outputs = [undefined], errors = fails ? [new Error('A sample')] : [] } = port
  return { outputs, errors }
}

/** What XState reports about an actor that a state invokes: samples by the event's type. */
export function invokedEvents(spec: Spec, { invoke }: AnyStateNode): ByType {
  return Object.fromEntries<readonly AnyEventObject[]>(
    invoke.flatMap(({ id, src }) => {
      const name = typeof src === 'string' ? src : id
      const { outputs = [undefined], errors = [new Error('A sample')] }: Partial<Results> =
        promiseResults(spec, name) ?? spec.children[name] ?? {}
      const done = outputs.map(output => ({ type: `xstate.done.actor.${id}`, output, actorId: id }))
      const failed = errors.map(error => ({ type: `xstate.error.actor.${id}`, error, actorId: id }))
      const values = outputs.map(context => ({
        type: `xstate.snapshot.${id}`,
        snapshot: { status: 'active', output: undefined, error: undefined, context },
      }))
      return [
        [`xstate.done.actor.${id}`, done],
        [`xstate.error.actor.${id}`, failed],
        [`xstate.snapshot.${id}`, values],
      ] as const
    }),
  )
}
