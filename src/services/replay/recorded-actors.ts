// The actors of a trace as a drive looks for them: by parent, id, source, input and occurrence.
import { encodeValue } from '../../trace/codec.ts'
import type { ActorEntry, ReplayableTrace, ViewRecord } from '../../trace/format.ts'

/** A recorded actor. */
export interface RecordedActor {
  readonly entry: ActorEntry
  /** The input it was started with, as JSON; absent where the trace does not say. */
  readonly input: () => string | undefined
  /** Number of the stimulus in whose step it started; -1 where the trace does not say. */
  readonly startedAt: number
  /** Number of the stimulus in whose step it ended; infinite while it did not. */
  readonly endedAt: number
}

/** The actors of a trace. */
export interface RecordedActors {
  at(index: number): RecordedActor | undefined
  /** Takes the one with this path out of its namesakes. */
  claim(path: string): RecordedActor | undefined
  /** The actors with this parent and id for which nobody stands yet, in the order in which they came. */
  namesakes(parent: string | undefined, base: string): RecordedActor[]
}

/** Reads the table and the views once; inputs are looked at when somebody asks. */
export function recordedActors({ actors, views }: ReplayableTrace): RecordedActors {
  const inits = new Map<number, ViewRecord>()
  const ends = new Map<number, number>()
  for (const view of views) {
    if (view.event.type === 'xstate.init' && !inits.has(view.actor)) inits.set(view.actor, view)
    if (view.status !== 'active') ends.set(view.actor, view.cause)
  }
  const all = actors.map((entry): RecordedActor => {
    const init = inits.get(entry.index)
    return {
      entry,
      input: once(() => init && inputText(init.event['input'])),
      startedAt: init?.cause ?? -1,
      endedAt: ends.get(entry.index) ?? Number.POSITIVE_INFINITY,
    }
  })
  const paths = new Map(all.map(actor => [actor.entry.path, actor]))
  const groups = new Map<string, RecordedActor[]>()
  const keyOf = ({ entry: { parent, path } }: RecordedActor) =>
    groupKey(parent === undefined ? undefined : actors[parent]?.path, basePath(path))
  for (const actor of all) {
    const key = keyOf(actor)
    const group = groups.get(key)
    if (group) group.push(actor)
    else groups.set(key, [actor])
  }
  return {
    at: index => all[index],
    claim(path) {
      const actor = paths.get(path)
      const group = actor && groups.get(keyOf(actor))
      if (actor && group?.includes(actor)) group.splice(group.indexOf(actor), 1)
      return actor
    },
    namesakes: (parent, base) => groups.get(groupKey(parent, base)) ?? [],
  }
}

/** A value as it is compared: the same value gives the same text. */
export function inputText(value: unknown): string {
  return JSON.stringify(encodeValue(value)) ?? ''
}

/** The path without the ordinal that tells namesakes apart. */
export function basePath(path: string): string {
  return path.replace(/#\d+$/, '')
}

function groupKey(parent: string | undefined, base: string): string {
  return `${parent ?? ''} ${base.slice(base.lastIndexOf('/') + 1)}`
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
