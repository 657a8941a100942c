// A stage on which a recording plays: a test names what the app sends, what effects answer and which states
// follow; the recording provides the exact inputs, and everything else that happened in between.
import type { AnyActorLogic, AnyEventObject } from 'xstate'
import {
  activePaths,
  describeChange,
  encodeCompact,
  isPlain,
  type ReplayableTrace,
  short,
  stateLabel,
  type StepRecord,
  type Stimulus,
} from '../../../trace/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import { describeDivergence } from '../verify/divergence.ts'
import { type Answer, toEvent } from './stage.ts'
import type { DriveReport } from './drive-report.ts'
import { makeDrive } from './drive.ts'

/**
 * A recorded run, repeated with machines that may have changed. Each call continues to the next place in the
 * recording that fits, and throws if something up to there cannot be repeated. Paths may be their ends, such as
 * `session` for `client/session`.
 */
export interface RecordedStage {
  /** Milliseconds from the start to the current place. */
  readonly now: number
  /** The app sends an event to the root, or to the actor with this path; it may name a part of its values. */
  send(event: AnyEventObject, path?: string): void
  /** The effect with this path answers; it may name a part of the values. */
  answer(path: string, answer: Answer): void
  /**
   * Waits until the recording has an actor in all of these states, and checks that it is. A stopped actor is in
   * its last states; `done`, `error` and `stopped` are its ends.
   */
  reach(path: string, ...states: readonly string[]): void
  /** The rest of the recording. */
  finish(): void
  /** States of all running machines by path: `a`, `a.b`, `a(x.b, y.c)`. */
  states(): Record<string, string>
  /** Context of the root, or of the actor with this path. */
  context(path?: string): unknown
}

/**
 * Repeats a recording, which must have its steps.
 * @throws Error if the system cannot be built, or the recording does not begin at its start
 */
export function stageRecording(trace: ReplayableTrace, system: AnyActorLogic | ComposeSystem): RecordedStage {
  return new PlayedRecording(trace, system)
}

/** One run up to a place: the last step of each actor. */
class RunView {
  readonly last = new Map<string, StepRecord>()
  readonly #trace: ReplayableTrace
  #taken = 0

  constructor(trace: ReplayableTrace) {
    this.#trace = trace
  }

  moveTo(steps: number): void {
    const { steps: all, actors } = this.#trace
    for (let step = all[this.#taken]; step && this.#taken < steps; step = all[++this.#taken]) {
      const path = actors[step.actor]?.path ?? ''
      // A parent may stop an actor that is done.
      if (step.status !== 'stopped' || this.last.get(path)?.status !== 'done') this.last.set(path, step)
    }
  }

  isIn(path: string, states: readonly string[]): boolean {
    const { status, value } = this.last.get(path) ?? {}
    const active = activePaths(value)
    return states.every(state => active.includes(state) || (status === state && status !== 'active'))
  }

  describe(path: string): string {
    const step = this.last.get(path)
    if (!step) return 'has not started'
    const label = stateLabel(step.value) || 'no state'
    return step.status === 'active' ? `is in ${label}` : `has ended: ${step.status} in ${label}`
  }
}

/** A recorded stimulus between two steps. */
interface Turn {
  readonly stimulus: Stimulus
  /** Number of recorded steps up to its end. */
  readonly recorded: number
  /** Number of steps up to its end here; absent if the run did not get there. */
  repeated?: number
  /** Why it could not be repeated as recorded. */
  problem?: string
}

class PlayedRecording implements RecordedStage {
  readonly #trace: ReplayableTrace
  readonly #turns: readonly Turn[]
  readonly #then: RunView
  readonly #here: RunView
  readonly #report: DriveReport
  /** Index of the current turn; -1 at the start. */
  #at = -1

  constructor(trace: ReplayableTrace, system: AnyActorLogic | ComposeSystem) {
    this.#trace = trace
    const starts = startsOf(trace)
    const turns = trace.stimuli
      .filter(({ anchor }) => !anchor)
      .map((stimulus, at): Turn => ({ stimulus, recorded: starts[at + 1] ?? trace.steps.length }))
    const byNumber = new Map(turns.map(turn => [turn.stimulus.seq, turn]))
    const drive = makeDrive(
      trace,
      { [trace.header.system]: system },
      {
        onStep({ stimulus, trace: { steps } }) {
          const turn = byNumber.get(stimulus.seq)
          if (turn) turn.repeated = steps.length
        },
      },
    )
    const { report } = drive
    if (report.outcome === 'unusable' || !drive.trace) throw new Error(unusable(report))
    for (const { seq, problem } of problemsOf(report, turns)) {
      // Anchored stimuli belong to the turn in which they are repeated.
      const turn = turns.findLast(({ stimulus }) => stimulus.seq <= seq) ?? turns[0]
      if (turn) turn.problem ??= problem
    }
    this.#turns = turns
    this.#report = report
    this.#then = new RunView(trace)
    this.#here = new RunView(drive.trace)
    this.#then.moveTo(starts[0] ?? trace.steps.length)
    this.#here.moveTo(startsOf(drive.trace)[0] ?? drive.trace.steps.length)
  }

  get now(): number {
    return this.#turns[this.#at]?.stimulus.t ?? 0
  }

  send(event: AnyEventObject, path = this.#path(0)): void {
    const actor = this.#find(path)
    const isSame = ({ kind, to }: Stimulus) => kind === 'external' && this.#path(to) === actor
    this.#continue(isSame, event, `${event.type} to ${path}`)
  }

  answer(path: string, answer: Answer): void {
    const actor = this.#find(path)
    const isSame = ({ kind, from }: Stimulus) => kind === 'leaf' && this.#path(from) === actor
    this.#continue(isSame, toEvent(answer), `such an answer of ${path}`)
  }

  reach(path: string, ...states: readonly string[]): void {
    const actor = this.#find(path)
    let at = this.#at
    while (!this.#then.isIn(actor, states)) {
      at += 1
      const turn = this.#turns[at]
      if (!turn) throw new Error(`In the recording, ${path} is not in ${states.join(', ')} from here on.`)
      this.#then.moveTo(turn.recorded)
    }
    this.#goTo(at)
    if (this.#here.isIn(actor, states)) return
    const turn = this.#turns[at]
    const why = turn ? `after ${this.#describe(turn.stimulus)}` : 'after its start'
    this.#fail(
      `${path} ${this.#here.describe(actor)} ${why}, where the recording has it in ${states.join(', ')}`,
    )
  }

  finish(): void {
    this.#goTo(this.#turns.length - 1)
  }

  states(): Record<string, string> {
    const running = [...this.#here.last].flatMap(([path, { status, value }]) => {
      const label = stateLabel(value)
      return status === 'active' && label !== '' ? [[path, label] as const] : []
    })
    return Object.fromEntries(running)
  }

  context(path = this.#path(0)): unknown {
    return this.#here.last.get(this.#find(path))?.context
  }

  #path(actor: number | undefined): string {
    return this.#trace.actors[actor ?? -1]?.path ?? ''
  }

  /** The recorded actor with this path, or the first one whose path ends with it. */
  #find(path: string): string {
    const paths = this.#trace.actors.map(actor => actor.path)
    const found = paths.find(one => one === path) ?? paths.find(one => one.endsWith(`/${path}`))
    if (found !== undefined) return found
    throw new Error(`The recording has no actor ${path}. It has: ${paths.join(', ')}.`)
  }

  /** Continues to the next stimulus that fits. */
  #continue(isSame: (stimulus: Stimulus) => boolean, event: AnyEventObject, what: string): void {
    const rest = this.#turns.slice(this.#at + 1)
    const found = rest.findIndex(({ stimulus }) => isSame(stimulus) && contains(stimulus.event, event))
    if (found >= 0) return this.#goTo(this.#at + 1 + found)
    const others = rest.filter(({ stimulus }) => isSame(stimulus)).slice(0, 5)
    const known = others.map(({ stimulus: { event: other } }) => short(other, MOST_TEXT)).join('\n  ')
    throw new Error(
      `From here on, the recording has no ${what} with these values.${known === '' ? '' : ` It has:\n  ${known}`}`,
    )
  }

  #goTo(last: number): void {
    while (this.#at < last) {
      this.#at += 1
      const turn = this.#turns[this.#at]
      if (!turn) return
      if (turn.problem !== undefined) this.#fail(turn.problem)
      if (turn.repeated === undefined) this.#fail(`${this.#describe(turn.stimulus)} could not be repeated`)
      this.#then.moveTo(turn.recorded)
      this.#here.moveTo(turn.repeated)
    }
  }

  #describe({ kind, from, to, event }: Stimulus): string {
    const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : kind
    return `${type} ${kind === 'external' ? `to ${this.#path(to)}` : `of ${this.#path(from ?? to)}`}`
  }

  #fail(what: string): never {
    const report = this.#report
    const first = 'first' in report && report.first ? describeDivergence(report.first) : []
    const hints = first.length > 0 ? first : report.changes.map(describeChange)
    throw new Error([`${Math.round(this.now)} ms after the start: ${what}.`, ...hints].join('\n'))
  }
}

/** For each stimulus between two steps, the number of steps before it. */
function startsOf({ stimuli, steps }: ReplayableTrace): number[] {
  let at = 0
  return stimuli
    .filter(({ anchor }) => !anchor)
    .map(({ seq }) => {
      while ((steps[at]?.cause ?? seq) < seq) at += 1
      return at
    })
}

function unusable(report: DriveReport): string {
  return `The recording cannot be repeated: ${'reason' in report ? report.reason : 'it did not start'}.`
}

/** What a drive could not repeat as recorded, by stimulus. */
function problemsOf(report: DriveReport, turns: readonly Turn[]): { seq: number; problem: string }[] {
  if (report.outcome === 'unusable') return []
  const nextAt = (t: number) => turns.find(({ stimulus }) => stimulus.t >= t)?.stimulus.seq ?? -1
  return [
    ...report.unplaced.items.map(({ seq, to, from, event, kind, why }) => ({
      seq,
      problem: `${event ?? kind} ${from === undefined ? `to ${to}` : `of ${from}`} could not be repeated: ${why}`,
    })),
    ...report.delays.items.map(({ seq, actor, event, was, is }) => ({
      seq,
      problem: `${actor} sets ${event} to ${is} ms; recorded: ${was} ms`,
    })),
    ...report.waits.items.map(({ actor, since }) => ({
      seq: since,
      problem: `${actor} was started, and the recording has no answer of it`,
    })),
    ...report.unrecorded.items.map(({ t, actor, event, delay }) => ({
      seq: nextAt(t),
      problem: `${actor} took ${event} after ${delay} ms, which is not in the recording`,
    })),
  ]
}

/** Characters of a recorded event in an error. */
const MOST_TEXT = 1000

const textOf = (value: unknown): string => JSON.stringify(encodeCompact(value))

/** Whether a value has all parts of another one. Lists may continue. */
function contains(value: unknown, part: unknown, compared = new Map<object, Set<object>>()): boolean {
  if (part === undefined || Object.is(value, part)) return true
  if (typeof part !== 'object' || part === null || typeof value !== 'object' || value === null) return false
  if (!Array.isArray(part) && !isPlain(part) && !(part instanceof Error))
    return textOf(value) === textOf(part)
  // The first difference ends the comparison, so each pair is compared once.
  const parts = compared.get(value) ?? new Set()
  if (parts.has(part)) return true
  compared.set(value, parts.add(part))
  if (part instanceof Error && 'message' in value && value.message !== part.message) return false
  return Object.entries(part).every(
    ([key, item]) => Object.hasOwn(value, key) && contains(Reflect.get(value, key), item, compared),
  )
}
