// A generated live recording: machines that change at a given rate in the page, held in a ring like a
// client's.
import { createSegments, type SegmentRecorder } from '../../../../src/services/recording/store/segments.ts'
import type { NotedTrace } from '../../../../src/trace/format/trace-source.ts'
import type { ActorEntry, StateValue, StepRecord, TraceHeader } from '../../../../src/trace/format/records.ts'
import { chartOf, valueOf } from './chart.ts'

/** Minimum number of events that the ring keeps. */
const RING = 100_000

export interface FeedOptions {
  readonly actors?: number
  readonly states?: number
  /** Size of each context as JSON, in bytes. */
  readonly contextBytes?: number
}

/** The events of one step. */
export interface FeedStep {
  readonly actor: number
  readonly state: StateValue
  readonly type: string
  readonly context: object
}

/** A recording that grows with `append`. */
export function createFeed(options: FeedOptions = {}) {
  const recorder = new MadeUp(options)
  const segments = createSegments(recorder, recorder.now, { stimuli: RING })
  // The ring itself is a listener.
  const own = recorder.listeners.size
  return { source: segments.trace, append: recorder.append, listeners: () => recorder.listeners.size - own }
}

/** The events of the n-th step; the same for every consumer of the feed. */
export function stepOf(n: number, { actors = 40, states = 4, contextBytes = 0 }: FeedOptions = {}): FeedStep {
  const actor = n % actors
  const state = Math.floor(n / actors) % states
  const berth = { length: n % 30, name: `berth ${actor}` }
  return {
    actor,
    state: valueOf(state, states),
    type: `to.s${state}`,
    context: { n, berth, ...filled(contextBytes, n) },
  }
}

const ROW_BYTES = 100
const fillings = new Map<number, readonly object[]>()

/** Rows of about 100 bytes; each step changes one row and keeps the other objects, as in an app. */
function filled(bytes: number, n: number): object {
  if (bytes === 0) return {}
  let rows = fillings.get(bytes)
  if (!rows) {
    const length = Math.ceil(bytes / ROW_BYTES)
    rows = Array.from({ length }, (_, id) => ({
      id,
      name: `vessel number ${id}`,
      at: { lat: id / 7, lon: id / 3 },
      tags: ['cargo', 'port'],
    }))
    fillings.set(bytes, rows)
  }
  return { rows: rows.with(n % rows.length, { id: n, name: 'moved' }) }
}

/** Replaces a recorder: its records are generated, but held in a real ring. */
class MadeUp implements SegmentRecorder {
  readonly listeners = new Set<() => void>()
  readonly onSecret = () => () => undefined
  readonly onRestart = () => () => undefined
  readonly elapsed = () => this.#last
  readonly #options: FeedOptions
  readonly #actors: ActorEntry[]
  readonly #header: TraceHeader
  #records: StepRecord[] = []
  #segment: NotedTrace
  #steps = 0
  /** Time of the last step, and of the segment's start. */
  #last = 0
  #began = 0

  constructor(options: FeedOptions) {
    this.#options = options
    const chart = chartOf(options.states ?? 4)
    this.#actors = Array.from({ length: options.actors ?? 40 }, (_, index) => ({
      line: 'actor',
      index,
      path: index === 0 ? 'harbour' : `harbour/berth.${index}`,
      kind: 'machine',
      src: chart.id,
      ...(index > 0 && { parent: 0 }),
    }))
    this.#header = {
      line: 'header',
      format: 1,
      system: 'bench',
      appVersion: '0',
      xstateVersion: '5',
      startedAt: '2026-01-01T00:00:00.000Z',
      input: {},
      machines: { [chart.id]: chart },
      redaction: { policy: 'none' },
    }
    this.#segment = this.#open()
  }

  readonly trace = {
    version: () => this.#steps,
    subscribe: (listener: () => void) => {
      this.listeners.add(listener)
      return () => void this.listeners.delete(listener)
    },
  }

  /** The clock advances with the steps. */
  readonly now = () => this.#last
  readonly segment = () => this.#segment
  readonly refine: SegmentRecorder['refine'] = trace => trace
  readonly startRecording = () => void (this.#segment = this.#open())
  readonly seal = () => undefined

  /** A segment starts with the state of each actor. */
  readonly nextSegment = () => {
    const latest = new Map(this.#records.map(step => [step.actor, step]))
    this.#segment = this.#open()
    for (const { actor, value, context } of latest.values())
      this.#push({
        actor,
        event: { type: 'chartroom.present' },
        ...(value !== undefined && { value }),
        context,
      })
    return true
  }

  readonly append = (count: number, t: number) => {
    for (let n = 0; n < count; n++, this.#steps++) {
      this.#last = t
      const { actor, state, type, context } = stepOf(this.#steps, this.#options)
      const before = this.#steps % 5 > 0 ? this.#records.at(-1) : undefined
      const event = { type, n: this.#steps }
      const by = before && { by: before.seq, from: before.actor }
      this.#push({ actor, event, value: state, context, ...by })
    }
    for (const listener of this.listeners) listener()
  }

  #push(step: Pick<StepRecord, 'actor' | 'event' | 'value' | 'context' | 'by' | 'from'>): void {
    const seq = this.#records.length
    const t = this.#last - this.#began
    this.#records.push({ line: 'step', seq, t, cause: -1, status: 'active', changed: true, ...step })
  }

  #open(): NotedTrace {
    this.#records = []
    this.#began = this.#last
    const none = { stimuli: [], tape: [], keyframes: [], hashes: [], bookmarks: [], damage: [] }
    const { header, actors, steps, trace } = {
      header: this.#header,
      actors: this.#actors,
      steps: this.#records,
      trace: this.trace,
    }
    return { live: true, header, actors, steps, ...none, ...trace, bookmark: () => undefined }
  }
}
