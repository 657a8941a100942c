// Events from other apps over Stately's inspection protocol as a growing trace, which the console shows like
// its own.
import { Listeners } from '../listeners.ts'
import { type BookmarkRecord, FORMAT_VERSION, type TraceHeader } from '../format/records.ts'
import type { TraceSource } from '../format/trace-source.ts'
import { createRedactor, type Redactor, REDACTION_POLICY } from '../redact/redact.ts'
import type { RedactionPolicy } from '../redact/secrets.ts'
import { ActorTable } from './actor-table.ts'
import { ForeignApp } from './foreign-app.ts'
import { ForeignLog } from './foreign-log.ts'
import { FOREIGN_LIMITS, type ForeignLimits, type ForeignMessage, readMessage } from './message.ts'

export interface ForeignTraceOptions {
  /** Runs a callback after the current task. */
  readonly defer: (run: () => void) => void
  readonly limits?: Partial<ForeignLimits>
  readonly redact?: RedactionPolicy
}

/** What is not shown, and why. */
export interface ForeignReport {
  /** Number of accepted messages. */
  readonly messages: number
  /** Actors that were created but not started, or stopped immediately, as in React's strict mode. */
  readonly hidden: number
  /** Steps dropped to stay within the limits. */
  readonly dropped: number
  /** Number of unusable messages by reason. */
  readonly refused: ReadonlyMap<string, number>
  /** Reasons why machines have no chart, by name. */
  readonly undrawn: ReadonlyMap<string, string>
  readonly apps: number
}

/** Disconnected apps that may come back. */
const GONE_KEPT = 8

/** Receives messages of any number of apps, each over a connection with its own name. */
export class ForeignTrace implements TraceSource {
  readonly live = true
  readonly damage = []
  readonly #limits: ForeignLimits
  readonly #redactor: Redactor
  readonly #defer: (run: () => void) => void
  readonly #log: ForeignLog
  readonly #table: ActorTable
  readonly #apps = new Map<string, ForeignApp>()
  readonly #gone: ForeignApp[] = []
  readonly #refused = new Map<string, number>()
  readonly #listeners = new Listeners()
  #phantoms = 0
  #messages = 0
  #first: number | undefined
  #latest = 0
  #version = 0
  #due = false
  #header: TraceHeader | undefined

  constructor({ defer, limits, redact }: ForeignTraceOptions) {
    this.#defer = defer
    this.#limits = { ...FOREIGN_LIMITS, ...limits }
    this.#redactor = createRedactor({ policy: redact })
    this.#table = new ActorTable(this.#limits, this.#redactor.text)
    this.#log = new ForeignLog({
      limits: this.#limits,
      redactor: this.#redactor,
      since: at => at - (this.#first ?? at),
      enter: life => this.#table.enter(life, this.#log.actors),
    })
  }

  get header(): TraceHeader {
    return this.#headerNow()
  }

  get actors(): TraceSource['actors'] {
    return this.#log.actors
  }

  get stimuli(): TraceSource['stimuli'] {
    return this.#log.stimuli
  }

  get steps(): TraceSource['steps'] {
    return this.#log.steps
  }

  /** By how much the numbers of steps decreased because older ones were dropped. */
  get dropped(): number {
    return this.#log.dropped
  }

  get bookmarks(): readonly BookmarkRecord[] {
    return this.#log.bookmarks
  }

  /** Sets a note on a step; an empty one removes it. */
  bookmark(note: string, step: number): void {
    this.#log.bookmark(note, step)
    this.#notify()
  }

  readonly version = (): number => this.#version

  readonly subscribe = this.#listeners.subscribe

  /** Receives a message from the connection; never throws. */
  take(raw: unknown, connection = ''): void {
    const message = readMessage(raw, this.#limits)
    if ('refused' in message) return this.#refuse(message.refused)
    if (message.kind === 'ignored') return
    const app = this.#appOf(message, connection)
    if (app.isRepeated(message)) return
    this.#messages += 1
    this.#latest = Math.max(this.#latest, message.at ?? 0)
    this.#first ??= this.#latest
    app.take(message, this.#latest)
    this.#notify()
  }

  /** A connection is established, again or for the first time. Repeated messages are not shown twice. */
  connected(connection: string): void {
    this.#apps.get(connection)?.reconnected()
  }

  /** A connection is closed; its app may come back over another one. */
  disconnected(connection: string): void {
    const app = this.#apps.get(connection)
    if (!app) return
    this.#apps.delete(connection)
    this.#gone.push(app)
    if (this.#gone.length > GONE_KEPT) this.#bury(this.#gone.shift())
    this.#notify()
  }

  /** Stops waiting for missing messages; call it a few times per second. */
  settle(): void {
    const { length } = this.#log.steps
    for (const app of [...this.#apps.values(), ...this.#gone]) app.settle()
    if (this.#log.steps.length !== length) this.#notify()
  }

  report(): ForeignReport {
    const apps = [...this.#apps.values(), ...this.#gone]
    return {
      messages: this.#messages,
      hidden: apps.reduce((sum, { hidden }) => sum + hidden, this.#phantoms),
      dropped: this.#log.dropped,
      refused: this.#refused,
      undrawn: this.#table.machines.problems,
      apps: this.#apps.size,
    }
  }

  #appOf(message: ForeignMessage, connection: string): ForeignApp {
    const known = this.#apps.get(connection)
    if (known) return known
    const at = this.#gone.findIndex(app => app.knows(message))
    const [back] = at === -1 ? [] : this.#gone.splice(at, 1)
    back?.reconnected()
    // A new app replaces disconnected ones: a reloaded page.
    if (!back) for (const app of this.#gone.splice(0)) this.#bury(app)
    const app = back ?? new ForeignApp(step => this.#log.write(step), this.#limits, this.#refuse.bind(this))
    this.#apps.set(connection, app)
    return app
  }

  #bury(app: ForeignApp | undefined): void {
    if (!app) return
    app.end(this.#latest)
    this.#phantoms += app.hidden
  }

  #refuse(reason: string): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1)
    this.#notify()
  }

  #notify(): void {
    this.#version += 1
    if (this.#due) return
    this.#due = true
    this.#defer(() => {
      this.#due = false
      this.#listeners.notify()
    })
  }

  /** A new object whenever a machine is added. */
  #headerNow(): TraceHeader {
    const { charts } = this.#table.machines
    const system = this.#log.actors[0]?.path ?? 'another app'
    if (this.#header?.machines === charts && this.#header.system === system) return this.#header
    this.#header = foreignHeader(system, charts, this.#first)
    return this.#header
  }
}

/** `began` is in milliseconds since 1970, once a message has arrived. */
function foreignHeader(
  system: string,
  machines: TraceHeader['machines'],
  began: number | undefined,
): TraceHeader {
  return {
    line: 'header',
    format: FORMAT_VERSION,
    system,
    appVersion: '',
    xstateVersion: '5',
    startedAt: began === undefined ? '' : new Date(began).toISOString(),
    input: undefined,
    machines,
    redaction: { policy: REDACTION_POLICY },
  }
}
