// The stage: a system whose effects answer when the test says so, and whose time passes when the test says so.
import type { AnyActorLogic, AnyEventObject } from 'xstate'
import type {
  ActorEntry,
  Phase,
  ReplayableTrace,
  StateValue,
  Stimulus,
  TapeEntry,
} from '../../trace/format.ts'
import { REDACTION_POLICY } from '../../trace/redact.ts'
import { XSTATE_VERSION } from '../recording/xstate-version.ts'
import type { ComposeSystem } from '../system-parts.ts'
import type { LiveActor } from './live-actors.ts'
import { ReplayRun } from './replay-run.ts'

/** What an effect says: a promise or an observable in these forms, a callback by the event that it sends back. */
export type Answer =
  | { readonly resolves: unknown }
  | { readonly rejects: unknown }
  | { readonly next: unknown }
  | { readonly fails: unknown }
  | 'completes'
  | AnyEventObject

/** What an effect says in the midst of a step: as it starts, or as it takes its n-th event. */
export interface AtOnce {
  /** Path of the effect, e.g. `client/session/readSession`. */
  readonly in: string
  /** What runs then, and the how manyeth; its start unless told. */
  readonly when?: readonly [Phase, number]
  readonly says: Answer
  /** Path of the actor that is told; the effect's parent unless told. */
  readonly to?: string
  /** Path of the effect that says it, when it is another one than runs. */
  readonly from?: string
}

export interface StageOptions {
  /** Id of the root, by which its path begins; the machine's unless told. */
  readonly id?: string
  readonly input?: unknown
  readonly atOnce?: readonly AtOnce[]
  /** What the machines read of `env`, in order. */
  readonly readings?: readonly (readonly [kind: TapeEntry['kind'], value: number | string])[]
}

/** A system under test. What can't be done as asked throws an error that says what there is instead. */
export interface Stage {
  /** Milliseconds since its start. */
  readonly now: number
  start(): void
  /** Sends an event to the root, or to the actor of this path. */
  send(event: AnyEventObject, path?: string): void
  /** Has the effect of this path speak; `to` is the path of who is told, its parent unless told. */
  answer(path: string, answer: Answer, to?: string): void
  /** Lets time pass: timers fire when they are due. */
  advance(ms: number): void
  stop(): void
  /** State of the root, or of the actor of this path: of a machine its state value, else `active`, `done`, … */
  state(path?: string): StateValue
  context(path?: string): unknown
  /** Paths of all actors that run. */
  actors(): string[]
}

/** Puts a system on the stage; none of the code of its effects ever runs. */
export function createStage(system: AnyActorLogic | ComposeSystem, options: StageOptions = {}): Stage {
  return new StagedSystem(system, options)
}

class StagedSystem implements Stage {
  now = 0
  readonly #run: ReplayRun
  /** Actors by the number under which stimuli speak of them. */
  readonly #table: ActorEntry[] = []
  #seq = 0

  constructor(system: AnyActorLogic | ComposeSystem, options: StageOptions) {
    const { id = idOf(system), input, atOnce = [], readings = [] } = options
    this.#number(id)
    this.#run = new ReplayRun(this.#script(input, atOnce, readings), system)
  }

  start(): void {
    this.#run.start()
    this.#check()
  }

  send(event: AnyEventObject, path?: string): void {
    const to = path ?? this.#root()
    this.#find(to)
    this.#step({ kind: 'external', to: this.#number(to), event })
  }

  answer(path: string, answer: Answer, to?: string): void {
    this.#find(path)
    const target = to ?? targetOf(path, answer)
    this.#step({ kind: 'leaf', from: this.#number(path), to: this.#number(target), event: toEvent(answer) })
  }

  advance(ms: number): void {
    const until = this.now + ms
    for (let due = this.#due(until); due; due = this.#due(until)) {
      this.now = Math.max(this.now, due.at)
      this.#run.fire(due.timer, this.now)
    }
    this.now = until
    this.#check()
  }

  stop(): void {
    this.#step({ kind: 'stop', to: this.#number(this.#root()) })
  }

  state(path?: string): StateValue {
    const { status, value } = this.#find(path ?? this.#root())
    return value ?? status
  }

  context(path?: string): unknown {
    return this.#find(path ?? this.#root()).context
  }

  actors(): string[] {
    return this.#run.state().map(({ path }) => path)
  }

  #root(): string {
    return this.#table[0]?.path ?? ''
  }

  #step(stimulus: Omit<Stimulus, 'line' | 'seq' | 't'>): void {
    this.#run.step({ line: 'stimulus', seq: this.#seq++, t: this.now, ...stimulus })
    this.#check()
  }

  #due(until: number) {
    const timers = this.#run.timers.all().map(timer => ({ timer, at: timer.setAt + timer.delay }))
    const due = timers.filter(({ at }) => at <= until)
    return due.toSorted((a, b) => a.at - b.at)[0]
  }

  #find(path: string): LiveActor {
    const running = this.#run.state()
    const found = running.find(actor => actor.path === path)
    if (found) return found
    throw new Error(`No actor ${path} runs here. These do: ${running.map(one => one.path).join(', ')}.`)
  }

  #check(): void {
    const [problem] = this.#run.problems.splice(0)
    if (problem !== undefined) throw new Error(`At ${this.now} ms: ${problem}.`)
  }

  #number(path: string): number {
    const known = this.#table.findIndex(entry => entry.path === path)
    if (known >= 0) return known
    return this.#table.push({ line: 'actor', index: this.#table.length, path, kind: 'other', src: '' }) - 1
  }

  /** A trace of what will be said in the midst of steps; the rest is told as the test goes on. */
  #script(
    input: unknown,
    atOnce: readonly AtOnce[],
    readings: NonNullable<StageOptions['readings']>,
  ): ReplayableTrace {
    const stimuli = atOnce.map(({ in: place, when: [phase, n] = ['start', 0], says, to, from }): Stimulus => {
      const sender = from ?? place
      const anchor = { phase, n, in: this.#number(place) }
      const target = to ?? targetOf(sender, says)
      const places = { from: this.#number(sender), to: this.#number(target) }
      return {
        line: 'stimulus',
        seq: this.#seq++,
        t: 0,
        kind: 'leaf',
        ...places,
        event: toEvent(says),
        anchor,
      }
    })
    return {
      live: true,
      header: {
        line: 'header',
        format: 2,
        system: 'stage',
        appVersion: '',
        xstateVersion: XSTATE_VERSION,
        startedAt: new Date(0).toISOString(),
        input,
        machines: {},
        redaction: { policy: REDACTION_POLICY },
      },
      actors: this.#table,
      stimuli,
      views: [],
      damage: [],
      tape: readings.map(([kind, value]) => ({ line: 'tape', kind, value })),
      bookmarks: [],
      hashes: [],
      keyframes: [],
      version: () => 0,
      subscribe: () => () => undefined,
    }
  }
}

function idOf(system: AnyActorLogic | ComposeSystem): string {
  const nothing = { now: () => 0, random: () => 0, id: () => '' }
  const logic = typeof system === 'function' ? system({ env: nothing }) : system
  return 'id' in logic && typeof logic.id === 'string' ? logic.id : 'system'
}

/** XState settles promises and observables by events that they are sent themselves. */
function toEvent(answer: Answer): AnyEventObject {
  if (answer === 'completes') return { type: 'xstate.observable.complete' }
  if ('type' in answer) return answer
  if ('resolves' in answer) return { type: 'xstate.promise.resolve', data: answer.resolves }
  if ('rejects' in answer) return { type: 'xstate.promise.reject', data: answer.rejects }
  if ('next' in answer) return { type: 'xstate.observable.next', data: answer.next }
  return { type: 'xstate.observable.error', data: answer['fails'] }
}

/** Callbacks tell their parent. */
function targetOf(path: string, answer: Answer): string {
  const isCallback = answer !== 'completes' && 'type' in answer
  return isCallback ? path.slice(0, path.lastIndexOf('/')) : path
}
