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

/** What XState reports about an actor that a state invokes: samples by the event's type. */
export function invokedEvents(spec: Spec, { invoke }: AnyStateNode): ByType {
  return Object.fromEntries<readonly AnyEventObject[]>(
    invoke.flatMap(({ id, src }) => {
      const name = typeof src === 'string' ? src : id
      const { outputs = [undefined], errors = [new Error('A sample')] } = {
        ...spec.children[name],
        ...spec.ports[name],
      }
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
