// Converts a recording to Stately's inspection protocol. Secrets recognized after recording are removed too.
import { encodeValue } from '../trace/codec.ts'
import type { ActorEntry, TraceSource, ViewRecord } from '../trace/format.ts'
import type { Json } from '../trace/json.ts'
import { createRedactor } from '../trace/redact.ts'
import { policyOf } from '../trace/secrets.ts'
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
  #views = 0
  readonly #first: ViewRecord | undefined

  constructor(trace: TraceSource) {
    this.#trace = trace
    this.#redact = createRedactor({ policy: policyOf(trace.header.redaction) }).value
    this.#began = Date.parse(trace.header.startedAt) || 0
    this.#first = trace.views[0]
  }

  /** Whether the recording was replaced by another one. */
  get isOutdated(): boolean {
    const { views } = this.#trace
    return views.length < this.#views || (this.#first !== undefined && views[0] !== this.#first)
  }

  /** Returns messages for at most this many unsent steps. */
  *next(most: number): Generator<StatelyMessage> {
    const { actors, views } = this.#trace
    for (; this.#actors < actors.length; this.#actors += 1) {
      const entry = actors[this.#actors]
      if (entry) yield this.#actor(entry)
    }
    const end = Math.min(views.length, this.#views + most)
    for (; this.#views < end; this.#views += 1) {
      const view = views[this.#views]
      if (view) yield* this.#step(view)
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

  *#step(view: ViewRecord): Generator<StatelyMessage> {
    const { actors } = this.#trace
    const entry = actors[view.actor]
    if (!entry) return
    const event = this.#plain(view.event)
    const source = view.from === undefined ? undefined : actors[view.from]
    const base = this.#base(entry, view.t)
    yield { type: '@xstate.event', ...base, event, ...(source && { sourceId: source.path }) }
    const { status, value, context, output, error } = view
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
