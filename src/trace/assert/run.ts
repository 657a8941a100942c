// Assertions at work on one trace, step by step: each record costs what is under way, not how long the trace is.
import type { Assertion } from './formulas.ts'
import { TraceMemory } from './memory.ts'
import { partsOf, type Found, type Monitor, type Part, type Surroundings, type Verdict } from './monitor.ts'
import { planFormula } from './planner.ts'
import { Follower, type Followed, type Step } from './steps.ts'
import { Timers } from './timers.ts'
import type { ActorEntry, ViewRecord } from '../format.ts'

/** Hears of what the assertions find: something broken, or something that the end of the trace leaves open. */
export interface RunListener {
  failed(assertion: Assertion, found: Found, at: Step): void
  waits?(assertion: Assertion, found: Found, at: Step): void
}

/** Assertions at work. */
export interface AssertionRun {
  /** Takes the next actor of the table; each is entered before its first step. */
  actor(entry: ActorEntry): void
  /** Takes the next step; `isNew` when what set it off is no part of an earlier step. */
  view(view: ViewRecord, isNew: boolean): void
  /** Everything so far has been shown to its end. */
  settle(): void
  /** The trace is over: for good when `isClosed`. */
  end(isClosed: boolean): void
  verdicts(): readonly Verdict[]
  /** For each assertion, whether there was an actor that it speaks of. */
  met(): readonly boolean[]
  /** Whether the system itself is over. */
  isOver(): boolean
}

/** Puts assertions to work on a trace that is shown from its beginning. */
export function runAssertions(assertions: readonly Assertion[], listener: RunListener): AssertionRun {
  const follower = new Follower()
  const timers = { time: new Timers(), steps: new Timers(), awake: new Timers() }
  const [resting, later]: [(() => void)[], (() => void)[]] = [[], []]
  const [parts, monitors, own]: [Part[], Monitor[], (readonly Part[])[]] = [[], [], []]
  const groups = new Groups(parts)
  let now: Step | undefined
  let isRootOver = false
  for (const one of assertions) {
    const around: Surroundings = {
      memory: new TraceMemory(observer => parts.push(observer), groups.usePaths),
      timers,
      step: () => now,
      later: what => later.push(what),
      atRest: what => resting.push(what),
    }
    const plan = planFormula(typeof one.check === 'function' ? one.check() : one.check, around)
    const monitor = plan.start({
      fail: found => now && listener.failed(one, found, now),
      wait: found => now && listener.waits?.(one, found, now),
      hold: () => {},
    })
    monitors.push(monitor)
    const its = partsOf(plan.wants, monitor)
    own.push(its)
    parts.push(...its)
  }
  const settle = () => (resting.length > 0 ? flush(resting) : undefined)
  return {
    actor: entry => groups.enter(follower.actor(entry)),
    settle,
    view(view, isNew) {
      if (isNew) {
        settle()
        follower.next()
      }
      const step = follower.step(view)
      if (!step) return
      now = step
      timers.time.advance(step.t)
      timers.steps.advance(step.seq)
      timers.awake.advance(step.awake)
      const its = groups.of(view.actor)
      for (let at = 0; at < its.length; at++) its[at]?.step(step)
      if (later.length > 0) flush(later)
      if (!step.actor.parent) isRootOver = step.status !== 'active'
    },
    end(isClosed) {
      settle()
      for (const monitor of monitors) monitor.end(isClosed)
    },
    verdicts: () => monitors.map(monitor => monitor.verdict()),
    met: () => own.map(some => groups.meets(some)),
    isOver: () => isRootOver,
  }
}

function flush(waiting: (() => void)[]): void {
  for (const what of waiting.splice(0)) what()
}

/** Which parts look at which actor; those of a kind share a list. */
class Groups {
  readonly #parts: readonly Part[]
  readonly #lists = new Map<string, readonly Part[]>()
  readonly #byActor: (readonly Part[])[] = []
  #usesPaths = false

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  /** Actors whose logic bears the same name can no longer be taken for alike. */
  readonly usePaths = (): void => {
    this.#usesPaths = true
  }

  enter(actor: Followed): void {
    const { src, parent } = actor
    const kind = this.#usesPaths ? this.#look(actor) : parent ? src : `root ${src}`
    let list = this.#lists.get(kind)
    if (!list) this.#lists.set(kind, (list = this.#parts.filter(({ wants }) => wants(actor))))
    this.#byActor.push(list)
  }

  #look(actor: Followed): string {
    return this.#parts.map(({ wants }) => (wants(actor) ? '1' : '0')).join('')
  }

  meets(parts: readonly Part[]): boolean {
    return [...this.#lists.values()].some(list => parts.some(part => list.includes(part)))
  }

  of(actor: number): readonly Part[] {
    return this.#byActor[actor] ?? []
  }
}
