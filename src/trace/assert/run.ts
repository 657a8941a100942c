// Runs assertions on one trace, step by step: a record costs what is active, regardless of the trace's
// length.
import type { ActorPattern, Assertion, Key, Past, Span } from './language.ts'
import { partsOf, type Found, type Monitor, type Part, type MonitorContext, type Verdict } from './monitor.ts'
import { planFormula } from './planner.ts'
import { Follower, type ObservedStep, type Followed } from './steps.ts'
import { Timers } from './deadline.ts'
import type { ActorEntry, StepRecord } from '../format/records.ts'
import { keysOf } from './compare.ts'
import { type Match, matching, type Memory, typesOf, wanting } from './match.ts'
import { spanning, type Tracker } from './spans.ts'

/** Receives the findings: failures, and expectations that are pending at the end of the trace. */
export interface RunListener {
  failed(assertion: Assertion, found: Found, at: ObservedStep): void
  waits?(assertion: Assertion, found: Found, at: ObservedStep): void
}

/** A run of assertions. */
export interface AssertionRun {
  /** Enters the next actor of the table; before its first step. */
  actor(entry: ActorEntry): void
  /** Processes the next step; `isNew` if its stimulus did not cause an earlier step. */
  step(step: StepRecord, isNew: boolean): void
  /** All effects of the last stimulus have been passed on. */
  settle(): void
  /** The trace has ended: for good if `isClosed`. */
  end(isClosed: boolean): void
  verdicts(): readonly Verdict[]
  /** For each assertion, whether some actor matches. */
  met(): readonly boolean[]
  /** Whether the system itself has ended. */
  isOver(): boolean
}

/** Starts assertions on a trace that is passed in from its beginning. */
export function runAssertions(assertions: readonly Assertion[], listener: RunListener): AssertionRun {
  return new Run(assertions, listener)
}

class Run implements AssertionRun {
  readonly #follower = new Follower()
  readonly #timers = { time: new Timers(), steps: new Timers(), awake: new Timers() }
  readonly #resting: (() => void)[] = []
  readonly #later: (() => void)[] = []
  readonly #parts: Part[] = []
  readonly #own: (readonly Part[])[] = []
  readonly #groups = new Groups(this.#parts)
  readonly #monitors: readonly Monitor[]
  #now: ObservedStep | undefined
  #isRootOver = false

  constructor(assertions: readonly Assertion[], listener: RunListener) {
    this.#monitors = assertions.map(one => this.#putToWork(one, listener))
  }

  actor(entry: ActorEntry): void {
    this.#groups.enter(this.#follower.actor(entry))
  }

  step(record: StepRecord, isNew: boolean): void {
    if (isNew) {
      this.settle()
      this.#follower.next()
    }
    const step = this.#follower.step(record)
    if (!step) return
    this.#now = step
    this.#timers.time.advance(step.t)
    this.#timers.steps.advance(step.seq)
    this.#timers.awake.advance(step.awake)
    const parts = this.#groups.of(record.actor, record.event.type)
    for (let at = 0; at < parts.length; at++) parts[at]?.step(step)
    if (this.#later.length > 0) flush(this.#later)
    if (!step.actor.parent) this.#isRootOver = step.status !== 'active'
  }

  settle(): void {
    if (this.#resting.length > 0) flush(this.#resting)
  }

  end(isClosed: boolean): void {
    this.settle()
    for (const monitor of this.#monitors) monitor.end(isClosed)
  }

  verdicts(): Verdict[] {
    return this.#monitors.map(monitor => monitor.verdict())
  }

  met(): boolean[] {
    return this.#own.map(parts => this.#groups.meets(parts))
  }

  isOver(): boolean {
    return this.#isRootOver
  }

  #putToWork(one: Assertion, listener: RunListener): Monitor {
    const around: MonitorContext = {
      memory: new TraceMemory(observer => this.#parts.push(observer), this.#groups.usePaths),
      timers: this.#timers,
      step: () => this.#now,
      later: what => this.#later.push(what),
      atRest: what => this.#resting.push(what),
    }
    const plan = planFormula(typeof one.check === 'function' ? one.check() : one.check, around)
    const monitor = plan.start({
      fail: found => this.#now && listener.failed(one, found, this.#now),
      wait: found => this.#now && listener.waits?.(one, found, this.#now),
      hold: () => {},
    })
    const parts = partsOf(plan, monitor)
    this.#own.push(parts)
    this.#parts.push(...parts)
    return monitor
  }
}

function flush(waiting: (() => void)[]): void {
  for (const what of waiting.splice(0)) what()
}

/** The parts that read the actors of one kind. */
interface Kind {
  readonly parts: readonly Part[]
  /** By event type, for each type that some part requests. */
  readonly byType: ReadonlyMap<string, readonly Part[]>
  /** For all other types. */
  readonly others: readonly Part[]
}

const kindOf = (parts: readonly Part[]): Kind => {
  const types = new Set(parts.flatMap(part => [...(part.types ?? [])]))
  const byType = new Map(
    [...types].map(type => [type, parts.filter(part => part.types?.has(type) ?? true)] as const),
  )
  return { parts, byType, others: parts.filter(part => part.types === undefined) }
}

class Groups {
  readonly #parts: readonly Part[]
  readonly #kinds = new Map<string, Kind>()
  readonly #byActor: Kind[] = []
  #usesPaths = false

  /** Groups these parts; more can be added before the first actor is entered. */
  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  /** From now on, actors with the same logic name may need different groups. */
  readonly usePaths = (): void => {
    this.#usesPaths = true
  }

  enter(actor: Followed): void {
    const { src, parent } = actor
    const name = this.#usesPaths ? this.#look(actor) : parent ? src : `root ${src}`
    let kind = this.#kinds.get(name)
    if (!kind) this.#kinds.set(name, (kind = kindOf(this.#parts.filter(({ wants }) => wants(actor)))))
    this.#byActor.push(kind)
  }

  /** Whether any of these parts reads an actor that was entered. */
  meets(parts: readonly Part[]): boolean {
    return [...this.#kinds.values()].some(kind => parts.some(part => kind.parts.includes(part)))
  }

  of(actor: number, type: string): readonly Part[] {
    const kind = this.#byActor[actor]
    return kind ? (kind.byType.get(type) ?? kind.others) : []
  }

  #look(actor: Followed): string {
    return this.#parts.map(({ wants }) => (wants(actor) ? '1' : '0')).join('')
  }
}

type Hear = (step: ObservedStep, key: string) => void

/** A tracked span. */
interface Tracked extends Tracker {
  readonly onOpened: Hear[]
  readonly onClosed: Hear[]
}

/** The memory of the patterns of one assertion; passes everything that must observe steps to `observe`. */
class TraceMemory implements Memory {
  readonly #observe: (observer: Part) => void
  readonly #whenPaths: () => void
  readonly #pasts = new Map<Past, () => boolean>()
  readonly #spans = new Map<Span, Tracked>()
  #uses = 0

  constructor(observe: (observer: Part) => void, whenPaths: () => void) {
    this.#observe = observe
    this.#whenPaths = whenPaths
  }

  get uses(): number {
    return this.#uses
  }

  usesPaths(): void {
    this.#uses += 1
    this.#whenPaths()
  }

  inside(span: Span, by?: Key): Match['test'] {
    const { open, onClosed } = this.#track(span)
    // The step that closes a span is still inside it.
    const closing = new Set<string>()
    let closedAt: ObservedStep | undefined
    onClosed.push((step, key) => {
      if (step !== closedAt) closing.clear()
      closing.add(key)
      closedAt = step
    })
    if (by === undefined) return (_, step) => open.size > 0 || closedAt === step
    const keys = keysOf(by)
    return (_, step) => keys(step).some(key => open.has(key) || (closedAt === step && closing.has(key)))
  }

  happened(past: Past): () => boolean {
    const known = this.#pasts.get(past)
    this.#uses += 1
    if (known) return known
    const { step: pattern, during } = past
    let [has, opened]: [boolean, ObservedStep | undefined] = [false, undefined]
    const { test } = matching(pattern, this)
    const note = (step: ObservedStep) => void (has ||= step !== opened && test(step, step))
    this.#observe({ wants: wanting(pattern), types: typesOf(pattern), step: note })
    if (during) {
      this.#track(during).onOpened.push(step => {
        has = false
        opened = step
      })
    }
    const hasHappened = () => has
    this.#pasts.set(past, hasHappened)
    return hasHappened
  }

  some(pattern: ActorPattern): Match['test'] {
    return this.inside({ during: pattern })
  }

  #track(span: Span): Tracked {
    this.#uses += 1
    const known = this.#spans.get(span)
    if (known) return known
    const plan = spanning(span, this)
    const [onOpened, onClosed]: [Hear[], Hear[]] = [[], []]
    const tracker = plan.start({
      opened: (key, step) => onOpened.forEach(listener => listener(step, key)),
      closed: (key, _, step) => onClosed.forEach(listener => listener(step, key)),
    })
    const tracked = { ...tracker, onOpened, onClosed }
    this.#spans.set(span, tracked)
    this.#observe({ wants: plan.wants, types: plan.types, step: tracker.step })
    return tracked
  }
}
