// Compares a drive with the recording: finds the first difference, then compares actor by actor.
import { encodeCompact, isEqual, type ReplayableTrace, type StepRecord } from '../../../trace/index.ts'
import type { Wrong } from '../verify/comparison.ts'
import { summary } from '../verify/divergence.ts'
import {
  type ActorState,
  type Bounded,
  BoundedList,
  type FinalState,
  type LaterDifference,
} from './drive-report.ts'

const LIMIT = 100

type Open = { -readonly [Key in keyof LaterDifference]: LaterDifference[Key] }

/** Compares a drive while it runs. */
export interface StepComparison {
  /** The first difference, and the number of the stimulus during which it occurred. */
  readonly first: { readonly at: number; readonly wrong: Wrong } | undefined
  readonly later: Bounded<LaterDifference>
  /**
   * Compares the step of the stimulus `at`; `next` is the number of the stimulus that begins the next step.
   */
  step(at: number, next: number): void
  /** Returns every actor that is active at the end of either run. */
  final(): FinalState[]
}

/** Compares step by step until the first difference, then actor by actor. */
export class DriveComparison implements StepComparison {
  first: { readonly at: number; readonly wrong: Wrong } | undefined
  readonly later = new BoundedList<LaterDifference>(LIMIT)
  readonly #recorded: ReplayableTrace
  readonly #here: ReplayableTrace
  /** Returns the recorded path of an actor. */
  readonly #pathThen: (index: number) => string
  /** The last step of every actor, by recorded path. */
  readonly #then = new Map<string, StepRecord>()
  readonly #now = new Map<string, StepRecord>()
  readonly #open = new Map<string, Open>()
  #thenAt = 0
  #nowAt = 0

  constructor(recorded: ReplayableTrace, here: ReplayableTrace, pathThen: (index: number) => string) {
    this.#recorded = recorded
    this.#here = here
    this.#pathThen = pathThen
  }

  step(at: number, next: number): void {
    const touched = new Set<string>()
    const { steps } = this.#recorded
    const here = this.#here.steps
    for (; ; this.#thenAt++, this.#nowAt++) {
      const expected = this.#thenAt < steps.length && steps[this.#thenAt]
      const old = expected && expected.cause < next ? expected : undefined
      const got = here[this.#nowAt]
      if (!old && !got) break
      this.#compare(old, got, at, touched)
      // If one side has no more steps, keep its position.
      if (!old) this.#thenAt -= 1
      if (!got) this.#nowAt -= 1
    }
    if (this.first) for (const path of touched) this.#classify(path, at)
  }

  final(): FinalState[] {
    const paths = [...new Set([...this.#then.keys(), ...this.#now.keys()])]
    return paths.flatMap((actor): FinalState[] => {
      const [then, now] = [this.#then.get(actor), this.#now.get(actor)]
      if (then?.status !== 'active' && now?.status !== 'active') return []
      const states = { ...(then && { was: stateOf(then) }), ...(now && { is: stateOf(now) }) }
      return [{ actor, ...states, isSame: sameEnd(then, now) }]
    })
  }

  #compare(old: StepRecord | undefined, got: StepRecord | undefined, at: number, touched: Set<string>): void {
    const [then, now] = [old && this.#path(old.actor), got && this.#pathThen(got.actor)]
    if (!this.first && !(old && got && then === now && this.#sameStep(old, got))) {
      const index = this.#nowAt
      const wrong = { index, ...(old && { expected: old }), ...(got && { got }) }
      this.first = { at, wrong }
    }
    if (old && then !== undefined) this.#then.set(then, old)
    if (got && now !== undefined) this.#now.set(now, got)
    if (!this.first) return
    if (then !== undefined) touched.add(then)
    if (now !== undefined) touched.add(now)
  }

  #sameStep(then: StepRecord, now: StepRecord): boolean {
    return (
      then.status === now.status &&
      then.changed === now.changed &&
      sameValue(then.value, now.value) &&
      sameValue(then.event, now.event) &&
      sameValue(then.context, now.context) &&
      sameValue(then.output, now.output) &&
      sameValue(then.error, now.error) &&
      sameValue(then.outputs, now.outputs) &&
      this.#sender(then) === (now.from === undefined ? undefined : this.#pathThen(now.from))
    )
  }

  #sender({ from }: StepRecord): string | undefined {
    return from === undefined ? undefined : this.#path(from)
  }

  #path(index: number): string {
    return this.#recorded.actors[index]?.path ?? `actor ${index}`
  }

  /** Updates whether an actor differs after its step. */
  #classify(actor: string, at: number): void {
    const [then, now] = [this.#then.get(actor), this.#now.get(actor)]
    const open = this.#open.get(actor)
    const isSame = sameEnd(then, now)
    if (isSame && open) {
      open.until = at
      this.#open.delete(actor)
    } else if (!isSame && !open) {
      const difference: Open = {
        actor,
        from: at,
        ...(then && { was: summary(this.#recorded, then) }),
        ...(now && { is: summary(this.#here, now) }),
      }
      this.#open.set(actor, difference)
      this.later.add(difference)
    }
  }
}

function stateOf({ status, value, context }: StepRecord): ActorState {
  return { status, ...(value !== undefined && { value }), ...(context !== undefined && { context }) }
}

/** An ended actor equals one that was never created. */
function sameEnd(then: StepRecord | undefined, now: StepRecord | undefined): boolean {
  const [old, fresh] = [then?.status ?? 'stopped', now?.status ?? 'stopped']
  if (old !== 'active' && fresh !== 'active') return true
  return old === fresh && sameValue(then?.value, now?.value) && sameValue(then?.context, now?.context)
}

/** An instance of an error subclass equals the plain error that is read from a file. */
const sameValue = (a: unknown, b: unknown): boolean =>
  isEqual(a, b, (one, other) => JSON.stringify(encodeCompact(one)) === JSON.stringify(encodeCompact(other)))
