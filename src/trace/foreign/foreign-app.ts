// One running app that reports its actors: over one connection, or several in succession.
import type { ActorMessage, ForeignLimits, ForeignMessage } from './message.ts'
import { announcement, type ForeignStep, type Life, newLife, rootOf, Sequencer } from './sequencer.ts'

/** More than the default of any version of @statelyai/inspect. */
const REMEMBERED = 1_000

/** The messages of one app, over all its connections. */
class Resync {
  /** A connection that opens late repeats the very first messages each time. */
  readonly #first: string[] = []
  readonly #recent: string[] = []
  /** Messages that may still be repeated, with their counts; absent when no repetition is expected. */
  #again: Map<string, number> | undefined

  /** Whether the message is a repetition. */
  isRepeated(message: ForeignMessage): boolean {
    const print = fingerprint(message)
    const left = this.#again?.get(print) ?? 0
    if (left > 0) {
      this.#again?.set(print, left - 1)
      return true
    }
    this.#again = undefined
    const kept = this.#first.length < REMEMBERED ? this.#first : this.#recent
    kept.push(print)
    if (this.#recent.length > REMEMBERED * 2) this.#recent.splice(0, REMEMBERED)
    return false
  }

  /** Whether this message was among the last ones, so that the app is the same as before. */
  knows(message: ForeignMessage): boolean {
    const print = fingerprint(message)
    return this.#recent.includes(print) || this.#first.includes(print)
  }

  /** The app has reconnected. */
  begin(): void {
    const counts = new Map<string, number>()
    for (const print of [...this.#first, ...this.#recent]) counts.set(print, (counts.get(print) ?? 0) + 1)
    this.#again = counts
  }
}

/** Messages with equal fingerprints are counted, not distinguished: an app repeats them in order. */
function fingerprint(message: ForeignMessage): string {
  const what = message.kind === 'actor' ? message.name : message.event.type
  return `${message.at} ${message.session} ${message.kind} ${what}`
}

/** Replaces the event if an app ended without notice. */
const GONE = '@statelyai.disconnected'

/** Tracks the actors of one process by their session ids. */
export class ForeignApp {
  readonly #lives = new Map<string, Life>()
  readonly #probation: Probation
  readonly #sequencer: Sequencer
  readonly #resync = new Resync()
  readonly #limits: ForeignLimits
  readonly #refuse: (reason: string) => void

  /** `write` receives each step after its cause. */
  constructor(write: (step: ForeignStep) => void, limits: ForeignLimits, refuse: (reason: string) => void) {
    this.#limits = limits
    this.#refuse = refuse
    this.#probation = new Probation(write)
    this.#sequencer = new Sequencer(step => this.#probation.take(step))
  }

  /** Actors that were created but never started, or stopped immediately. */
  get hidden(): number {
    let silent = 0
    for (const { isHeard, index } of this.#lives.values()) if (!isHeard && index === undefined) silent += 1
    return silent + this.#probation.hidden
  }

  isRepeated(message: ForeignMessage): boolean {
    return this.#resync.isRepeated(message)
  }

  knows(message: ForeignMessage): boolean {
    return this.#resync.knows(message)
  }

  reconnected(): void {
    this.#resync.begin()
  }

  take(message: ForeignMessage, at: number): void {
    if (message.kind === 'actor') return this.#announced(message, at)
    const isStart = message.event.type === 'xstate.init'
    const life = this.#lifeOf(message.session, isStart, message)
    if (!life) return
    if (!life.isHeard && !isStart && life.announced) this.#probation.take(announcement(life, at))
    life.isHeard = true
    if (message.kind === 'snapshot') return this.#sequencer.taken(life, message, at)
    const from = message.source === undefined ? undefined : this.#lives.get(message.source)
    this.#sequencer.sent(life, from, message, at)
  }

  settle(): void {
    this.#sequencer.settle()
    this.#probation.settle()
  }

  /** The app has ended for good. */
  end(at: number): void {
    this.#sequencer.close()
    this.#probation.settle()
    for (const life of this.#lives.values()) {
      if (life.ended || life.index === undefined) continue
      life.ended = true
      this.#probation.take({
        ...announcement(life, at),
        event: { type: GONE },
        size: 0,
        snapshot: { ...life.last, status: 'stopped' },
      })
    }
  }

  /** XState's actors appear when they start; manually reported ones never start. */
  #announced(message: ActorMessage, at: number): void {
    const parent = message.parent === undefined ? undefined : this.#lives.get(message.parent)
    const life = this.#begin(message.session, parent, message)
    if (!life || message.definition !== undefined) return
    life.isHeard = true
    this.#probation.take(announcement(life, at))
  }

  /** A restarted actor, or one that continues after its end, is a new actor with the same name. */
  #lifeOf(session: string, isStart: boolean, message: ForeignMessage): Life | undefined {
    const known = this.#lives.get(session)
    if (!known) return this.#begin(session, undefined, undefined)
    const goesOn = message.kind === 'snapshot' && message.snapshot.status === 'active'
    if (!known.ended || !(isStart || goesOn)) return known
    return this.#begin(session, known.parent, known.announced)
  }

  #begin(session: string, parent: Life | undefined, announced: ActorMessage | undefined): Life | undefined {
    if (this.#lives.size >= this.#limits.actors) this.#forgetEnded()
    if (this.#lives.size >= this.#limits.actors) {
      this.#refuse('exceeds the maximum number of actors')
      return undefined
    }
    const life = newLife(session, parent, announced)
    this.#lives.set(session, life)
    return life
  }

  #forgetEnded(): void {
    for (const [session, life] of this.#lives) if (life.ended) this.#lives.delete(session)
  }
}

/** A system that ends within this many milliseconds, without receiving an event, is a phantom. */
const SOON = 100

interface Trial {
  readonly since: number
  readonly held: ForeignStep[]
}

/** Buffers the first steps of each system until it is certain that it persists. */
class Probation {
  readonly #write: (step: ForeignStep) => void
  readonly #trials = new Map<Life, Trial>()
  /** Number of hidden actors. */
  hidden = 0

  constructor(write: (step: ForeignStep) => void) {
    this.#write = write
  }

  /** Receives a step; its cause comes first. */
  take(step: ForeignStep): void {
    const root = rootOf(step.life)
    const trial = this.#trials.get(root) ?? this.#begin(root, step)
    if (!trial) return this.#write(step)
    trial.held.push(step)
    const { type } = step.event
    const soon = step.at - trial.since <= SOON
    if (step.life === root && root.ended && type === 'xstate.stop' && soon) return this.#discard(root, trial)
    const isOfItself = step.by !== undefined || type === 'xstate.init' || type === 'xstate.stop'
    if (!isOfItself || !soon) this.#release(root)
  }

  /** No more messages arrived for a while. */
  settle(): void {
    for (const root of this.#trials.keys()) this.#release(root)
  }

  #begin(root: Life, { life, event, at }: ForeignStep): Trial | undefined {
    if (life !== root || event.type !== 'xstate.init') return undefined
    const trial = { since: at, held: [] }
    this.#trials.set(root, trial)
    return trial
  }

  /** Also releases systems that started earlier, so that actors appear in start order. */
  #release(until: Life): void {
    for (const [root, { held }] of this.#trials) {
      this.#trials.delete(root)
      for (const step of held) this.#write(step)
      if (root === until) return
    }
  }

  #discard(root: Life, { held }: Trial): void {
    this.#trials.delete(root)
    this.hidden += new Set(held.map(({ life }) => life)).size
  }
}
