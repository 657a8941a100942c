// The stage: runs a system with effects and time controlled by the test, as a replay of a trace that it writes.
import type { AnyActorLogic, AnyEventObject } from 'xstate'
import {
  type ActorEntry,
  type Phase,
  REDACTION_POLICY,
  type ReplayableTrace,
  type StateValue,
  type Stimulus,
} from '../../../trace/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import { type LiveActor, ReplayRun } from '../run/replay-run.ts'
import { XSTATE_VERSION } from '../../recording/index.ts'

/** Result of an effect: these forms for promises and observables, the event to send for callbacks. */
export type Answer =
  | { readonly resolves: unknown }
  | { readonly rejects: unknown }
  | { readonly next: unknown }
  | { readonly fails: unknown }
  | 'completes'
  | AnyEventObject

/** A response that an effect sends immediately: when it starts, or when it receives its n-th event. */
export interface AtOnce {
  /** Path of the effect, e.g. `client/session/readSession`. */
  readonly in: string
  /** The phase and the number of the call. Defaults to the start. */
  readonly when?: readonly [Phase, number]
  readonly answer: Answer
  /** Path of the receiver. Defaults to the effect's parent. */
  readonly to?: string
  /** Path of the sending effect, if it is not the running one. */
  readonly from?: string
}

/** What is known before the system starts. */
interface StageScript {
  readonly input?: unknown
  readonly atOnce?: readonly AtOnce[]
  /** Values that machines read from `env`, and from the platform such as `Math.random()`, in order. */
  readonly readings?: readonly (readonly [kind: string, value: unknown])[]
}

/** Options of `createStage`. */
export interface StageOptions extends StageScript {
  /** Id of the root, the first part of its path. Defaults to the machine's id. */
  readonly id?: string
}

/** A system under test. Invalid calls throw an error that lists the valid choices. */
export interface Stage {
  /** Milliseconds since the start. */
  readonly now: number
  start(): void
  /** Sends an event to the root, or to the actor with this path. */
  send(event: AnyEventObject, path?: string): void
  /**
   * Sends a result of the effect with this path; `to` is the receiver's path and defaults to the effect's
   * parent.
   */
  answer(path: string, answer: Answer, to?: string): void
  /** Advances time and fires timers that become due. */
  advance(ms: number): void
  stop(): void
  /**
   * State of the root or of the actor with this path: the state value of a machine, otherwise `active`,
   * `done`, … The root's is also known after its end.
   * @throws Error if no other actor with this path is running
   */
  state(path?: string): StateValue
  context(path?: string): unknown
  /** Paths of all running actors. */
  actors(): string[]
}

/** Creates a stage for a system. The code of its effects never runs. */
export function createStage(system: AnyActorLogic | ComposeSystem, options: StageOptions = {}): Stage {
  return new StagedSystem(system, options)
}

class StagedSystem implements Stage {
  now = 0
  readonly #run: ReplayRun
  /** Actors by the number that stimuli use. */
  readonly #cast: StageCast

  constructor(system: AnyActorLogic | ComposeSystem, options: StageOptions) {
    this.#cast = new StageCast(options.id ?? idOf(system))
    this.#run = new ReplayRun(stageScript(this.#cast, options), system)
  }

  start(): void {
    this.#run.start()
    this.#check()
  }

  send(event: AnyEventObject, path?: string): void {
    const to = path ?? this.#cast.root
    this.#find(to)
    this.#step({ kind: 'external', to: this.#cast.number(to), event })
  }

  answer(path: string, answer: Answer, to?: string): void {
    this.#find(path)
    const target = to ?? targetOf(path, answer)
    this.#step({
      kind: 'leaf',
      from: this.#cast.number(path),
      to: this.#cast.number(target),
      event: toEvent(answer),
    })
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
    this.#step({ kind: 'stop', to: this.#cast.number(this.#cast.root) })
  }

  state(path?: string): StateValue {
    const { status, value } = this.#seen(path)
    return value ?? status
  }

  context(path?: string): unknown {
    return this.#seen(path).context
  }

  actors(): string[] {
    return this.#run.state().map(({ path }) => path)
  }

  #step(stimulus: Omit<Stimulus, 'line' | 'seq' | 't'>): void {
    this.#run.step({ line: 'stimulus', seq: this.#cast.nextStimulus(), t: this.now, ...stimulus })
    this.#check()
  }

  #due(until: number) {
    const timers = this.#run.timers.all().map(timer => ({ timer, at: timer.setAt + timer.delay }))
    const due = timers.filter(({ at }) => at <= until)
    return due.toSorted((a, b) => a.at - b.at)[0]
  }

  /** The root or a running actor. */
  #seen(path = this.#cast.root): Pick<LiveActor, 'status' | 'value' | 'context'> {
    const { actor, redactor } = this.#run
    const { status, value, context } = actor.getSnapshot() as Pick<LiveActor, 'status' | 'value' | 'context'>
    if (path !== this.#cast.root || status === 'active') return this.#find(path)
    return { status, ...(value !== undefined && { value }), context: redactor.value(context) }
  }

  #find(path: string): LiveActor {
    const running = this.#run.state()
    const found = running.find(actor => actor.path === path)
    if (found) return found
    throw new Error(`No actor ${path} is running. Running: ${running.map(one => one.path).join(', ')}.`)
  }

  #check(): void {
    const [problem] = this.#run.problems.splice(0)
    if (problem !== undefined) throw new Error(`At ${this.now} ms: ${problem}.`)
  }
}

function idOf(system: AnyActorLogic | ComposeSystem): string {
  const nothing = { now: () => 0, random: () => 0, id: () => '' }
  const logic = typeof system === 'function' ? system({ env: nothing }) : system
  return 'id' in logic && typeof logic.id === 'string' ? logic.id : 'system'
}

/** Numbers the actors and stimuli of a stage. */
class StageCast {
  readonly actors: ActorEntry[] = []
  readonly root: string
  #stimuli = 0

  constructor(root: string) {
    this.root = root
    this.number(root)
  }

  number(path: string): number {
    const known = this.actors.findIndex(entry => entry.path === path)
    if (known >= 0) return known
    return this.actors.push({ line: 'actor', index: this.actors.length, path, kind: 'other', src: '' }) - 1
  }

  nextStimulus(): number {
    return this.#stimuli++
  }
}

const OF_ENV: ReadonlySet<string> = new Set(['now', 'random', 'id'])

/** Builds a trace of the immediate responses; other stimuli are added as the test runs. */
function stageScript(cast: StageCast, { input, atOnce = [], readings = [] }: StageScript): ReplayableTrace {
  return {
    live: true,
    header: {
      line: 'header',
      format: 1,
      system: 'stage',
      appVersion: '',
      xstateVersion: XSTATE_VERSION,
      startedAt: new Date(0).toISOString(),
      input,
      machines: {},
      redaction: { policy: REDACTION_POLICY },
      ...(readings.some(([kind]) => !OF_ENV.has(kind)) && { platform: true }),
    },
    actors: cast.actors,
    stimuli: atOnce.map(one => stimulusOf(cast, one)),
    steps: [],
    damage: [],
    tape: readings.map(([kind, value]) => ({ line: 'tape', kind, value })),
    bookmarks: [],
    hashes: [],
    keyframes: [],
    version: () => 0,
    subscribe: () => () => undefined,
  }
}

function stimulusOf(
  cast: StageCast,
  { in: place, when: [phase, n] = ['start', 0], answer, to, from }: AtOnce,
): Stimulus {
  const sender = from ?? place
  const anchor = { phase, n, in: cast.number(place) }
  return {
    line: 'stimulus',
    seq: cast.nextStimulus(),
    t: 0,
    kind: 'leaf',
    from: cast.number(sender),
    to: cast.number(to ?? targetOf(sender, answer)),
    event: toEvent(answer),
    anchor,
  }
}

/** XState settles promises and observables with events that they send to themselves. */
export function toEvent(answer: Answer): AnyEventObject {
  if (answer === 'completes') return { type: 'xstate.observable.complete' }
  if ('type' in answer) return answer
  if ('resolves' in answer) return { type: 'xstate.promise.resolve', data: answer.resolves }
  if ('rejects' in answer) return { type: 'xstate.promise.reject', data: answer.rejects }
  if ('next' in answer) return { type: 'xstate.observable.next', data: answer.next }
  return { type: 'xstate.observable.error', data: answer['fails'] }
}

/** Callbacks send to their parent. */
function targetOf(path: string, answer: Answer): string {
  const isCallback = answer !== 'completes' && 'type' in answer
  return isCallback ? path.slice(0, path.lastIndexOf('/')) : path
}
