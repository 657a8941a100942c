// Turns records into timeline blocks, in the thread that reads a file or, for live traces, in the page.
import type {
  ActorEntry,
  BookmarkRecord,
  StateValue,
  StepRecord,
  Stimulus,
  TraceHeader,
} from '../format/records.ts'
import type { PlacedRecord } from '../format/format.ts'
import { LOST } from '../format/lost.ts'
import { FLAG, STATUSES, STIMULUS_KINDS, type TimelineBlock, type WireNote } from './block.ts'
import { fieldOf, textOf } from '../exports/run-text.ts'

/** Collects records until `flush` returns them as a block. */
export class TimelineFeed {
  #header: TraceHeader | undefined
  readonly #actors: ActorEntry[] = []
  readonly #seen = new Set<number>()
  readonly #types = new Intern<string>(0, type => type)
  // 0 means none.
  readonly #states = new Intern<StateValue>(1, keyOfState)
  readonly #vias = new Intern<readonly string[]>(1, keyOfVia)
  readonly #failing: (boolean | undefined)[] = []
  #sent = 0
  #bookmarks: BookmarkRecord[] = []
  #faults: (readonly [number, string])[] = []
  #wire: WireNote[] = []
  #steps = new StepRows()
  #stimuli = new StimulusRows()

  /** Number of collected steps. */
  get waiting(): number {
    return this.#steps.t.length
  }

  header(header: TraceHeader): void {
    this.#header = header
  }

  /** Adds the next record, in file order; kinds that a timeline does not use are ignored. */
  record(record: PlacedRecord): void {
    if (record.line === 'step') this.#step(record)
    else if (record.line === 'stimulus') this.#stimuli.push(record)
    else if (record.line === 'actor') this.#actors.push(record)
    else if (record.line === 'bookmark') this.#bookmarks.push(record)
  }

  /** Returns the records since the last call as a block; undefined if there are none. */
  flush(): TimelineBlock | undefined {
    const actors = this.#actors.slice(this.#sent)
    const isEmpty = this.waiting + this.#stimuli.t.length + actors.length + this.#bookmarks.length === 0
    if (isEmpty && !this.#header) return undefined
    const block: TimelineBlock = {
      ...(this.#header && { header: this.#header }),
      actors,
      types: this.#types.takeFresh(),
      states: this.#states.takeFresh(),
      vias: this.#vias.takeFresh(),
      steps: this.#steps.columns(),
      stimuli: this.#stimuli.columns(),
      faults: this.#faults,
      wire: this.#wire,
      bookmarks: this.#bookmarks,
    }
    this.#header = undefined
    this.#sent = this.#actors.length
    this.#faults = []
    this.#wire = []
    this.#bookmarks = []
    this.#steps = new StepRows()
    this.#stimuli = new StimulusRows()
    return block
  }

  #step(step: StepRecord): void {
    const { actor, seq, event } = step
    const type = this.#types.numberOf(event.type)
    const fails = (this.#failing[type] ??= isFailure(event.type))
    const fault = faultOf(event)
    if (fault !== undefined) this.#faults.push([seq, fault])
    const isFirst = !this.#seen.has(actor)
    if (isFirst) this.#seen.add(actor)
    const note = wireNote(step, isFirst, this.#actors)
    if (note) this.#wire.push(note)
    const rows = this.#steps
    rows.t.push(step.t)
    rows.actor.push(actor)
    rows.type.push(type)
    rows.cause.push(step.cause)
    rows.by.push(step.by ?? -1)
    rows.from.push(step.from ?? -1)
    rows.state.push(step.value === undefined ? 0 : this.#states.numberOf(step.value))
    rows.via.push(step.via === undefined || step.via.length === 0 ? 0 : this.#vias.numberOf(step.via))
    const failed = step.status === 'error' || fails
    rows.flags.push(
      STATUSES.indexOf(step.status) |
        (step.changed ? FLAG.changed : 0) |
        (event.type === LOST ? FLAG.lost : 0) |
        (failed ? FLAG.failed : 0) |
        (fault === undefined ? 0 : FLAG.injected),
    )
  }
}

class StepRows {
  readonly t: number[] = []
  readonly actor: number[] = []
  readonly type: number[] = []
  readonly cause: number[] = []
  readonly by: number[] = []
  readonly from: number[] = []
  readonly state: number[] = []
  readonly via: number[] = []
  readonly flags: number[] = []

  columns(): TimelineBlock['steps'] {
    return {
      t: Float64Array.from(this.t),
      actor: Uint32Array.from(this.actor),
      type: Uint32Array.from(this.type),
      cause: Int32Array.from(this.cause),
      by: Int32Array.from(this.by),
      from: Int32Array.from(this.from),
      state: Uint32Array.from(this.state),
      via: Uint32Array.from(this.via),
      flags: Uint8Array.from(this.flags),
    }
  }
}

class StimulusRows {
  readonly t: number[] = []
  readonly to: number[] = []
  readonly from: number[] = []
  readonly kind: number[] = []

  push({ t, to, from, kind }: Stimulus): void {
    this.t.push(t)
    this.to.push(to)
    this.from.push(from ?? -1)
    this.kind.push(STIMULUS_KINDS.indexOf(kind))
  }

  columns(): TimelineBlock['stimuli'] {
    return {
      t: Float64Array.from(this.t),
      to: Uint32Array.from(this.to),
      from: Int32Array.from(this.from),
      kind: Uint8Array.from(this.kind),
    }
  }
}

/** Assigns each value a number, counted from `first`, and collects the new ones. */
class Intern<T> {
  #fresh: T[] = []
  #next: number
  readonly #keyOf: (value: T) => string
  readonly #byKey = new Map<string, number>()
  /** Fast path for identical objects. */
  readonly #byValue = new WeakMap<object, number>()

  constructor(first: number, keyOf: (value: T) => string) {
    this.#next = first
    this.#keyOf = keyOf
  }

  numberOf(value: T): number {
    const isObject = typeof value === 'object' && value !== null
    const seen = isObject ? this.#byValue.get(value) : undefined
    if (seen !== undefined) return seen
    const key = this.#keyOf(value)
    let number = this.#byKey.get(key)
    if (number === undefined) {
      this.#byKey.set(key, (number = this.#next++))
      this.#fresh.push(value)
    }
    if (isObject) this.#byValue.set(value, number)
    return number
  }

  /** Returns the new values since the last call, ordered by number. */
  takeFresh(): T[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }
}

const keyOfState = (value: StateValue): string =>
  typeof value === 'string' ? `"${value}` : JSON.stringify(value)

const keyOfVia = (via: readonly string[]): string => via.join('\n')

const ANSWERS: ReadonlySet<string> = new Set(['send.answered', 'send.failed', 'port.broken', 'socket.opened'])

/** Returns the note of a step; most steps have none. */
function wireNote(step: StepRecord, isFirst: boolean, actors: readonly ActorEntry[]): WireNote | undefined {
  const src = isFirst ? actors[step.actor]?.src : undefined
  if (src === 'request' || src === 'send' || src === 'socket') return beginning(step, src)
  if (step.from === undefined) return undefined
  const size = fieldOf(step.event, 'bytes')
  const bytes = typeof size === 'number' ? { bytes: size } : {}
  if (step.event.type === 'body.ended') return { actor: step.from, seq: step.seq, kind: 'body', ...bytes }
  if (!ANSWERS.has(step.event.type)) return undefined
  const status = step.event.type === 'socket.opened' ? 101 : fieldOf(step.event, 'status')
  const failure = textOf(fieldOf(step.event, 'failure', 'message'))
  return {
    actor: step.from,
    seq: step.seq,
    kind: 'answer',
    ...(typeof status === 'number' && { status }),
    ...(failure !== undefined && { failure }),
    ...bytes,
  }
}

function beginning({ actor, seq, event }: StepRecord, src: 'request' | 'send' | 'socket'): WireNote {
  const base = { actor, seq }
  if (src === 'socket') return { ...base, kind: 'socket', method: 'GET', path: '/realtime/v1/websocket' }
  if (src === 'send') {
    const attempt = fieldOf(event, 'input', 'attempt')
    return { ...base, kind: 'attempt', ...(typeof attempt === 'number' && { attempt }) }
  }
  const info = fieldOf(event, 'input', 'info')
  const [method = 'GET', path = '/'] = [textOf(fieldOf(info, 'method')), textOf(fieldOf(info, 'path'))]
  return { ...base, kind: 'request', method, path }
}

/** Id of the injected fault, if the event names one. */
function faultOf(event: StepRecord['event']): string | undefined {
  return textOf(event['faultId']) ?? textOf(fieldOf(event['failure'], 'faultId'))
}

/** Whether an event is named after a failure. */
const isFailure = (type: string): boolean => /fail|error|denied|reject|timeout|timedOut|lost/i.test(type)
