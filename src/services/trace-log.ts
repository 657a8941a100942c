// The log of one recording in memory: appended to by reference, made plain and free of secrets when it is read.
import type { Damage, KeyframeRecord, ReplayableTrace, TapeEntry, TraceHeader } from '../trace/format.ts'
import type { Redactor } from '../trace/redact.ts'
import type { Known } from './actor-registry.ts'
import type { RawView } from './actor-viewer.ts'
import { plainActor, plainStimulus, plainView } from './plain-records.ts'
import type { IndexOf, RawStimulus } from './plain-records.ts'

export interface TraceLog {
  readonly trace: ReplayableTrace
  /** Numbers the actor; every actor is given here before it occurs in another record. */
  actor(this: void, entry: Known): void
  /** Appends the stimulus and gives it its number. */
  stimulus(raw: Omit<RawStimulus, 'line' | 'seq'>): number
  view(this: void, raw: RawView): void
  tape(this: void, entry: TapeEntry): void
  damage(message: string): void
  /** Lets readers see what was appended; between steps only, so that no reader sees half a step. */
  settle(): void
}

export interface TraceLogOptions {
  readonly header: TraceHeader
  readonly redactor: Redactor
  readonly feed: Feed
  /** Actors with which the recording begins, and the keyframe that tells their state. */
  readonly actors?: readonly Known[]
  readonly keyframe?: (indexOf: IndexOf) => KeyframeRecord
}

/** Creates a log. */
export function createTraceLog({ header, redactor, feed, ...origin }: TraceLogOptions): TraceLog {
  const numbers = new Map<Known, number>()
  const indexOf: IndexOf = known => numbers.get(known) ?? -1
  const actors = createColumn((entry: Known) => plainActor(entry, indexOf, redactor))
  const stimuli = createColumn((raw: RawStimulus) => plainStimulus(raw, indexOf, redactor))
  const views = createColumn((raw: RawView) => plainView(raw, indexOf, redactor))
  const tape = createColumn((entry: TapeEntry) => redactor.value(entry))
  const damage: Damage[] = []
  const addActor = (known: Known) => {
    numbers.set(known, numbers.size)
    actors.append(known)
  }
  origin.actors?.forEach(addActor)
  const keyframe = origin.keyframe && redactor.value(origin.keyframe(indexOf))
  let seq = 0
  const trace: ReplayableTrace = {
    live: true,
    damage,
    get header() {
      return redactor.value(header)
    },
    get actors() {
      return actors.read()
    },
    get stimuli() {
      return stimuli.read()
    },
    get views() {
      return views.read()
    },
    get tape() {
      return tape.read()
    },
    hashes: [],
    keyframe,
    version: feed.version,
    subscribe: feed.subscribe,
  }
  return {
    trace,
    actor: addActor,
    view: views.append,
    tape: tape.append,
    stimulus(raw) {
      stimuli.append({ line: 'stimulus', seq, ...raw })
      return seq++
    },
    damage: message => void damage.push({ atLine: 0, message }),
    settle() {
      for (const column of [actors, stimuli, views, tape]) column.settle()
      feed.tell()
    },
  }
}

interface Column<Raw, Plain> {
  append(this: void, raw: Raw): void
  settle(): void
  read(): readonly Plain[]
}

/** Holds raw records and turns each into its plain form once, when it is first read. */
function createColumn<Raw, Plain>(toPlain: (raw: Raw) => Plain): Column<Raw, Plain> {
  const raws: Raw[] = []
  const plain: Plain[] = []
  let settled = 0
  return {
    append: raw => void raws.push(raw),
    settle: () => void (settled = raws.length),
    read() {
      for (let at = plain.length; at < settled; at++) plain.push(toPlain(raws[at] as Raw))
      return plain
    },
  }
}

/** Tells listeners of appends, at most once per task. */
export interface Feed {
  version(this: void): number
  subscribe(this: void, listener: () => void): () => void
  tell(): void
}

/** Creates a feed without listeners. */
export function createFeed(): Feed {
  const listeners = new Set<() => void>()
  let version = 0
  let due = false
  const flush = () => {
    due = false
    for (const listener of listeners) listener()
  }
  return {
    version: () => version,
    subscribe(listener: () => void) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    tell() {
      version += 1
      if (due || listeners.size === 0) return
      due = true
      globalThis.setTimeout(flush, 0)
    },
  }
}
