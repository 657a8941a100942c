// Checks a system against its breakpoints; costs nothing while there are none.
import { type Breakpoint, type Breakpoints, fits, meets, type SeenStep } from './breakpoints.ts'
import type { Arrival, HoldReason } from './gate.ts'
import { livingActors } from './live-tree.ts'
import type { ActorNames, Steered } from '../runtime/index.ts'
import { type StepWatch, watchAssertions, watchInspection, watchTrace } from './step-watch.ts'

/** Watches one system. */
export class BreakWatch {
  readonly #breakpoints: Breakpoints
  readonly #steered: Steered
  readonly #names: ActorNames
  /** Arrivals that breakpoints counted before they entered. */
  readonly #counted = new WeakSet<Arrival>()
  #steps: StepWatch | undefined
  #asserted: { readonly ids: string; readonly look: ReturnType<typeof watchAssertions> } | undefined

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
    const look = hasSteps(recording) && assertions.length > 0 && watchAssertions(recording.trace, assertions)
    this.#asserted = look ? { ids, look } : undefined
  }

  /** Returns why an arrival must wait. */
  before(arrival: Arrival): HoldReason | undefined {
    const path = arrival.to && this.#names.of(arrival.to).path
    const { type } = arrival.event
    const met = this.#breakpoints.active().find(({ where }) => {
      if (where.on !== 'event' || path === undefined) return false
      return fits(where.actor, path) && fits(where.event, type)
    })
    if (!met) return undefined
    this.#counted.add(arrival)
    const hit = this.#breakpoints.hit(met.id)
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
    const found = this.#asserted?.look() ?? []
    let reason: HoldReason | undefined
    for (const { assertion, why, seq } of found) {
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
