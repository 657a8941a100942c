// Converts a recording to Stately's inspection protocol. Secrets recognized after recording are removed too.
import {
  type ActorEntry,
  createRedactor,
  encodeValue,
  type Json,
  policyOf,
  type StepRecord,
  type TraceSource,
} from '../../../trace/index.ts'
import { definitionOf } from './stately-definition.ts'

/** The version of @statelyai/inspect that these messages follow. */
const VERSION = '0.7.2'

/** A message posted to an inspector. */
export type StatelyMessage = { readonly type: string } & { readonly [key: string]: Json }

/** Sends each record of a trace once, including later ones. */
export class StatelyTeller {
  readonly #trace: TraceSource
  readonly #redact: <T>(value: T) => T
  readonly #began: number
  #actors = 0
  #steps = 0
  readonly #first: StepRecord | undefined

  constructor(trace: TraceSource) {
    this.#trace = trace
    this.#redact = createRedactor({ policy: policyOf(trace.header.redaction) }).value
    this.#began = Date.parse(trace.header.startedAt) || 0
    this.#first = trace.steps[0]
  }

  /** Whether the recording was replaced by another one. */
  get isOutdated(): boolean {
    const { steps } = this.#trace
    return steps.length < this.#steps || (this.#first !== undefined && steps[0] !== this.#first)
  }

  /** Returns messages for at most this many unsent steps. */
  *next(most: number): Generator<StatelyMessage> {
    const { actors, steps } = this.#trace
    for (; this.#actors < actors.length; this.#actors += 1) {
      const entry = actors[this.#actors]
      if (entry) yield this.#actor(entry)
    }
    const end = Math.min(steps.length, this.#steps + most)
    for (; this.#steps < end; this.#steps += 1) {
      const step = steps[this.#steps]
      if (step) yield* this.#step(step)
    }
  }

  #actor(entry: ActorEntry): StatelyMessage {
    const { actors, header } = this.#trace
    const chart = entry.kind === 'machine' ? header.machines[entry.src] : undefined
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1)
    const parent = entry.parent === undefined ? undefined : actors[entry.parent]
    return {
      type: '@xstate.actor',
      ...this.#base(entry, 0),
      name,
      definition: chart ? definitionOf(chart) : JSON.stringify({ id: name }),
      ...(parent && { parentId: parent.path }),
      snapshot: { status: 'active' },
    }
  }

  *#step(step: StepRecord): Generator<StatelyMessage> {
    const { actors } = this.#trace
    const entry = actors[step.actor]
    if (!entry) return
    const event = this.#plain(step.event)
    const source = step.from === undefined ? undefined : actors[step.from]
    const base = this.#base(entry, step.t)
    yield { type: '@xstate.event', ...base, event, ...(source && { sourceId: source.path }) }
    const { status, value, context, output, error } = step
    yield {
      type: '@xstate.snapshot',
      ...base,
      event,
      snapshot: {
        status,
        ...(value !== undefined && { value: encodeValue(value) }),
        ...(context !== undefined && { context: this.#plain(context) }),
        ...(output !== undefined && { output: this.#plain(output) }),
        ...(error !== undefined && { error: this.#plain(error) }),
      },
    }
  }

  #base({ path }: ActorEntry, t: number) {
    const rootId = this.#trace.actors[0]?.path ?? path
    return {
      sessionId: path,
      rootId,
      _version: VERSION,
      createdAt: String(Math.round(this.#began + t)),
      id: null,
    }
  }

  #plain(value: unknown): Json {
    return encodeValue(this.#redact(value))
  }
}
