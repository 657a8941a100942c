// The stage: runs a system with effects and time controlled by the test.
import type { AnyActorLogic, AnyEventObject } from 'xstate'
import type { StateValue, Stimulus } from '../../../trace/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import type { LiveActor } from '../run/live-actors.ts'
import { ReplayRun } from '../run/replay-run.ts'
import { type Answer, StageCast, stageScript, type StageScript, targetOf, toEvent } from './stage-script.ts'

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
   * `done`, …
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
    const { status, value } = this.#find(path ?? this.#cast.root)
    return value ?? status
  }

  context(path?: string): unknown {
    return this.#find(path ?? this.#cast.root).context
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
