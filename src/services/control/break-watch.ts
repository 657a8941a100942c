// Checks a system against its breakpoints; costs nothing while there are none.
import { type Breakpoint, type Breakpoints, fits, meets, type SeenStep } from './breakpoints.ts'
import type { Arrival, HoldReason } from './gate.ts'
import { livingActors } from './live-tree.ts'
import type { ActorNames, Steered } from '../runtime/index.ts'
import type { AnyActorRef, InspectionEvent, Snapshot } from 'xstate'
import { type Assertion, createAssertionWatch, type StateValue, type TraceSource } from '../../trace/index.ts'
import { type TransitionsTaken, viaOf, withMicrostep } from '../recording/index.ts'

/** Watches one system. */
export class BreakWatch {
  readonly #breakpoints: Breakpoints
  readonly #steered: Steered
  readonly #names: ActorNames
  /** Arrivals that breakpoints counted before they entered. */
  readonly #counted = new WeakSet<Arrival>()
  #steps: StepWatch | undefined
  #asserted: { readonly ids: string; readonly check: ReturnType<typeof watchAssertions> } | undefined

  constructor(breakpoints: Breakpoints, steered: Steered, names: ActorNames) {
    this.#breakpoints = breakpoints
    this.#steered = steered
    this.#names = names
  }

  /** Call this when breakpoints were added, changed or removed. */
  renew(): void {
    const active = this.#breakpoints.active()
    const { actor, recording } = this.#steered
    if (active.some(({ where }) => where.on !== 'assertion')) {
      this.#steps ??= hasSteps(recording)
        ? watchTrace(recording.trace, this.#values())
        : watchInspection(actor, this.#values(), ref => this.#names.of(ref).path)
    } else {
      this.#steps?.stop()
      this.#steps = undefined
    }
    const asserted = active.filter(({ where }) => where.on === 'assertion')
    const ids = asserted.map(({ id }) => id).join()
    if (ids === this.#asserted?.ids) return
    const assertions = asserted.flatMap(({ where }) => (where.on === 'assertion' ? [where.assertion] : []))
    const check = hasSteps(recording) && assertions.length > 0 && watchAssertions(recording.trace, assertions)
    this.#asserted = check ? { ids, check } : undefined
  }

  /** Returns why an arrival must wait. */
  before(arrival: Arrival): HoldReason | undefined {
    const path = arrival.to && this.#names.of(arrival.to).path
    const { type } = arrival.event
    const breakpoint = this.#breakpoints.active().find(({ where }) => {
      if (where.on !== 'event' || path === undefined) return false
      return fits(where.actor, path) && fits(where.event, type)
    })
    if (!breakpoint) return undefined
    this.#counted.add(arrival)
    const hit = this.#breakpoints.hit(breakpoint.id)
    return hit && { by: 'breakpoint', breakpoint: hit.id, text: `Before ${path} receives ${type}` }
  }

  /** Returns why the system must pause after an arrival. */
  after(arrival: Arrival | undefined): HoldReason | undefined {
    const steps = this.#steps?.take() ?? []
    let reason: HoldReason | undefined
    for (const step of steps) {
      for (const breakpoint of this.#breakpoints.active()) {
        if (!meets(breakpoint.where, step) || this.#wasCounted(breakpoint, step, arrival)) continue
        const hit = this.#breakpoints.hit(breakpoint.id)
        reason ??= hit && reasonOf(hit, step.seq)
      }
    }
    return reason ?? this.#broken()
  }

  stop(): void {
    this.#steps?.stop()
    this.#steps = undefined
    this.#asserted = undefined
  }

  #broken(): HoldReason | undefined {
    const failures = this.#asserted?.check() ?? []
    let reason: HoldReason | undefined
    for (const { assertion, why, seq } of failures) {
      const broken = this.#breakpoints
        .active()
        .find(({ where }) => where.on === 'assertion' && where.assertion === assertion)
      const hit = broken && this.#breakpoints.hit(broken.id)
      reason ??= hit && {
        by: 'breakpoint',
        breakpoint: hit.id,
        seq,
        text: `“${assertion.name}” fails: ${why}`,
      }
    }
    return reason
  }

  #wasCounted({ where }: Breakpoint, { path, type }: SeenStep, arrival: Arrival | undefined): boolean {
    if (where.on !== 'event' || !arrival?.to || !this.#counted.has(arrival)) return false
    return arrival.event.type === type && this.#names.of(arrival.to).path === path
  }

  #values() {
    const living = livingActors(this.#steered.actor, this.#names)
    return new Map(living.map(({ path, value }) => [path, value]))
  }
}

/** A recording may contain only stimuli. */
function hasSteps(recording: Steered['recording']): recording is NonNullable<Steered['recording']> {
  return recording !== undefined && recording.trace.header.steps !== false
}

function reasonOf({ id, text, hits }: Breakpoint, seq: number | undefined): HoldReason {
  const times = hits === 1 ? '' : ` (time ${hits})`
  return { by: 'breakpoint', breakpoint: id, seq, text: `After ${text}${times}` }
}

/** Collects steps. */
interface StepWatch {
  /** Returns the steps since the last call. */
  take(): readonly SeenStep[]
  stop(): void
}

/** State values by path when the watch began. */
type Values = ReadonlyMap<string, StateValue | undefined>

type Traced = Pick<TraceSource, 'actors' | 'steps'>

/** Follows a recording. */
function watchTrace(trace: Traced, knownValues: Values): StepWatch {
  const values = new Map(knownValues)
  let { steps: records } = trace
  let seenCount = records.length
  return {
    stop: () => undefined,
    take() {
      // A new recording begins with the current state of all actors.
      if (records !== trace.steps) [records, seenCount] = [trace.steps, 0]
      const steps: SeenStep[] = []
      for (; seenCount < records.length; seenCount++) {
        const step = records[seenCount]
        const path = trace.actors[step?.actor ?? -1]?.path
        if (!step || path === undefined) continue
        const { seq, value, via = [] } = step
        steps.push({ path, type: step.event.type, before: values.get(path), value, via, seq })
        if (step.status === 'active') values.set(path, value)
        else values.delete(path)
      }
      return steps
    },
  }
}

/** Follows a system by inspection, which adds a cost to every step. */
function watchInspection(
  root: AnyActorRef,
  knownValues: Values,
  pathOf: (ref: AnyActorRef) => string,
): StepWatch {
  const values = new Map(knownValues)
  const taken = new Map<unknown, TransitionsTaken>()
  let steps: SeenStep[] = []
  const inspect = (event: InspectionEvent) => {
    const ref = event.actorRef as AnyActorRef
    if (event.type === '@xstate.microstep') {
      if (event._transitions.length > 0)
        taken.set(
          ref,
          withMicrostep(taken.get(ref), event._transitions, () => ({})),
        )
    } else if (event.type === '@xstate.snapshot') {
      const path = pathOf(ref)
      const { status, value } = event.snapshot as Snapshot<unknown> & { readonly value?: StateValue }
      const transitions = taken.get(ref)
      taken.delete(ref)
      const via = transitions ? viaOf(transitions) : []
      steps.push({ path, type: event.event.type, before: values.get(path), value, via })
      if (status === 'active') values.set(path, value)
      else values.delete(path)
    }
  }
  const subscription = root.system.inspect(inspect)
  return {
    stop: () => subscription.unsubscribe(),
    take() {
      const all = steps
      steps = []
      return all
    },
  }
}

/** Checks a recording against assertions. Reports failures since the last call, not earlier ones. */
function watchAssertions(trace: TraceSource, assertions: readonly Assertion[]) {
  let failures: { readonly assertion: Assertion; readonly why: string; readonly seq: number }[] = []
  const check = createAssertionWatch(trace, assertions, {
    failed: (assertion, { why }, { seq }) => void failures.push({ assertion, why, seq }),
  })
  check()
  return () => {
    failures = []
    check()
    return failures
  }
}
