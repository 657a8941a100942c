// Maps actors of a drive to recorded actors by parent, id, source, input and occurrence.
import type { Snapshot } from 'xstate'
import { type ReplayableTrace, type ActorEntry, encodeValue, type StepRecord } from '../../../trace/index.ts'
import type { ActorRecord } from '../../recording/index.ts'

/** An actor of the drive without a recorded counterpart. */
interface NewActor {
  readonly known: ActorRecord
  /** Number of the stimulus during which the actor was created. */
  readonly at: number
}

/** Binds actors to recorded actors. Every actor is bound once, when it is created. */
export class ActorBinding {
  /** Actors without a recorded counterpart. */
  readonly unbound: NewActor[] = []
  readonly recorded: RecordedActors
  readonly #then = new Map<ActorRecord, RecordedActor>()
  readonly #here = new Map<RecordedActor, ActorRecord>()
  readonly #paths = new Map<string, string>()
  /** Recorded actors that are or were bound, by their list of namesakes. */
  readonly #taken = new Map<readonly RecordedActor[], RecordedActor[]>()
  /** Number of the stimulus that is being repeated. */
  now = -1

  constructor(trace: ReplayableTrace) {
    this.recorded = recordedActors(trace)
  }

  /** Binds an actor that was just named. */
  appeared(known: ActorRecord, isRestored: boolean, input: () => unknown): void {
    const up = known.up && this.#then.get(known.up)
    const found = isRestored
      ? this.recorded.claim(known.path)
      : known.up && !up
        ? undefined
        : this.#claim(known, up, () => inputText(input()))
    if (!found) return void this.unbound.push({ known, at: this.now })
    this.#then.set(known, found)
    this.#paths.set(known.path, found.entry.path)
    this.#here.set(found, known)
  }

  /** Returns the recorded path of an actor, or its own path if it was not recorded. */
  path(known: ActorRecord): string {
    return this.#then.get(known)?.entry.path ?? known.path
  }

  /** The same, by the actor's path in the drive. */
  pathOf(here: string): string {
    return this.#paths.get(here) ?? here
  }

  /** The same; undefined for an actor that was not recorded. */
  recordedPath(here: string): string | undefined {
    return this.#paths.get(here)
  }

  /** Returns the actor bound to a recorded actor. */
  here(recorded: RecordedActor | undefined): ActorRecord | undefined {
    return recorded && this.#here.get(recorded)
  }

  /**
   * Among namesakes with the same source, picks the first with this input, else the first that has already
   * started.
   */
  #claim(
    known: ActorRecord,
    up: RecordedActor | undefined,
    inputOf: () => string,
  ): RecordedActor | undefined {
    const namesakes = this.recorded.namesakes(up?.entry.path, basePath(known.path))
    while (namesakes[0] && namesakes[0].endedAt < this.now) namesakes.shift()
    const input = inputOf()
    const isFit = ({ entry, endedAt }: RecordedActor) => entry.src === known.src && endedAt >= this.now
    let at = namesakes.findIndex(one => isFit(one) && (one.input() ?? input) === input)
    if (at < 0) at = namesakes.findIndex(one => isFit(one) && one.startedAt <= this.now)
    const taken = this.#taken.get(namesakes)
    if (at < 0) return taken?.find(one => isFit(one) && one.endedAt > this.now && this.#isLeft(one))
    const [found] = namesakes.splice(at, 1)
    if (found && taken) taken.push(found)
    else if (found) this.#taken.set(namesakes, [found])
    return found
  }

  /** Whether the actor bound to this one has ended, although the recorded one continued. */
  #isLeft(recorded: RecordedActor): boolean {
    const ref = this.#here.get(recorded)?.ref
    return ref === undefined || (ref.getSnapshot() as Snapshot<unknown>).status !== 'active'
  }
}

/** A recorded actor. */
interface RecordedActor {
  readonly entry: ActorEntry
  /** The actor's input as JSON; undefined if the trace does not contain it. */
  readonly input: () => string | undefined
  /** Number of the stimulus during which it started; -1 if the trace does not contain it. */
  readonly startedAt: number
  /** Number of the stimulus during which it ended; infinite if it did not end. */
  readonly endedAt: number
}

/** The actors of a trace. */
interface RecordedActors {
  at(index: number): RecordedActor | undefined
  /** Removes the actor with this path from its namesakes. */
  claim(path: string): RecordedActor | undefined
  /** Unbound actors with this parent and id, in order of creation. */
  namesakes(parent: string | undefined, base: string): RecordedActor[]
}

/** Reads the table and the steps once; inputs are read on demand. */
function recordedActors({ actors, steps }: ReplayableTrace): RecordedActors {
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
function inputText(value: unknown): string {
  return JSON.stringify(encodeValue(value)) ?? ''
}

/** Returns the path without the ordinal that distinguishes namesakes. */
function basePath(path: string): string {
  return path.replace(/#\d+$/, '')
}

function groupKey(parent: string | undefined, base: string): string {
  return `${parent ?? ''} ${base.slice(base.lastIndexOf('/') + 1)}`
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
