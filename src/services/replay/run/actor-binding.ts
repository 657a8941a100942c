// Maps actors of a drive to recorded actors by parent, id, source, input and occurrence.
import type { Snapshot } from 'xstate'
import type { ReplayableTrace } from '../../../trace/index.ts'
import type { ActorRecord } from '../../recording/index.ts'
import {
  basePath,
  inputText,
  type RecordedActor,
  recordedActors,
  type RecordedActors,
} from './recorded-actors.ts'

/** An actor of the drive without a recorded counterpart. */
export interface NewActor {
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
