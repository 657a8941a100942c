// Index of a trace's actors for a drive: by parent, id, source, input and occurrence.
import { type ActorEntry, encodeValue, type ReplayableTrace, type StepRecord } from '../../../trace/index.ts'

/** A recorded actor. */
export interface RecordedActor {
  readonly entry: ActorEntry
  /** The actor's input as JSON; undefined if the trace does not contain it. */
  readonly input: () => string | undefined
  /** Number of the stimulus during which it started; -1 if the trace does not contain it. */
  readonly startedAt: number
  /** Number of the stimulus during which it ended; infinite if it did not end. */
  readonly endedAt: number
}

/** The actors of a trace. */
export interface RecordedActors {
  at(index: number): RecordedActor | undefined
  /** Removes the actor with this path from its namesakes. */
  claim(path: string): RecordedActor | undefined
  /** Unbound actors with this parent and id, in order of creation. */
  namesakes(parent: string | undefined, base: string): RecordedActor[]
}

/** Reads the table and the steps once; inputs are read on demand. */
export function recordedActors({ actors, steps }: ReplayableTrace): RecordedActors {
  const inits = new Map<number, StepRecord>()
  const ends = new Map<number, number>()
  for (const step of steps) {
    if (step.event.type === 'xstate.init' && !inits.has(step.actor)) inits.set(step.actor, step)
    if (step.status !== 'active') ends.set(step.actor, step.cause)
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

/** Text for comparing values: equal values have equal text. */
export function inputText(value: unknown): string {
  return JSON.stringify(encodeValue(value)) ?? ''
}

/** Returns the path without the ordinal that distinguishes namesakes. */
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
