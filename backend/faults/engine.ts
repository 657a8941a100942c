// The engine: the current plan, which faults hit a request or frame, and their combined effect.
import type { ShiftableClock } from './shiftable-clock.ts'
import { createHits, factsOf, type FaultHit, type Hits } from './hits.ts'
import { createHeldRequests, type HeldAnswer, type Hold, type HeldRequests } from './held-requests.ts'
import { createRuleBook } from './rule-book.ts'
import type { NamedFault, Rule, Subject } from './rule.ts'
import type { Fault, FaultPlan, FaultAction, Story } from './plan.ts'

/** The combined effect of all faults that hit. */
export interface Effect extends FaultAction {
  /** Milliseconds, including jitter. */
  readonly wait: number
  /** Value of the response header, e.g. `late#2`. */
  readonly label: string
  readonly holds: readonly Hold[]
  /** The response that replaces the real one. */
  readonly answer: HeldAnswer | undefined
}

export interface Engine {
  readonly hits: Hits
  readonly holds: HeldRequests
  /** Whether the plan is empty; checked first. */
  isQuiet(): boolean
  /** Whether a fault depends on the caller, beyond what a token reveals. */
  asksWho(): boolean
  /** Label of the clock faults, sent as a header of every response. */
  clockLabel(): string | undefined
  plan(): { readonly seed: number; readonly faults: readonly (NamedFault & { readonly hits: number })[] }
  /** Counts the subject and returns the effect of all faults, or only of those in `only`. */
  decide(subject: Subject, ids?: ReadonlySet<string>): Effect | undefined
  /** @throws FaultPlanError if an id is taken, or there are too many faults */
  add(faults: readonly (Fault | Story)[]): readonly string[]
  replace(plan: FaultPlan): readonly string[]
  /** Removes a fault, a whole story by its name, or all faults; returns the number removed. */
  remove(id?: string): number
  /** Calls back with the ids of added faults. */
  onAdded(listener: (ids: ReadonlySet<string>) => void): void
}

export function createEngine(clock: ShiftableClock): Engine {
  const [hits, holds, book] = [createHits(), createHeldRequests(), createRuleBook(clock)]
  const listeners: ((ids: ReadonlySet<string>) => void)[] = []
  const announce = (newFaults: readonly NamedFault[]) => {
    const moving = newFaults.filter(fault => fault.do.clock !== undefined)
    for (const { id } of moving) hits.add({ fault: id, n: 1, family: 'clock' })
    const ids = newFaults.map(({ id }) => id)
    for (const listener of listeners) listener(new Set(ids))
    return ids
  }
  return {
    hits,
    holds,
    isQuiet: () => book.rules().length === 0,
    asksWho: () => book.rules().some(({ fault }) => fault.when?.user !== undefined),
    clockLabel: book.clockLabel,
    plan: () => ({
      seed: book.seed(),
      faults: book.rules().map(rule => ({ ...rule.fault, hits: rule.hits() })),
    }),
    decide(subject, ids) {
      const rules = ids ? book.rules().filter(({ fault }) => ids.has(fault.id)) : book.rules()
      const struck = rules.flatMap(rule => strike(rule, subject, { hits, holds }))
      return struck.length === 0 ? undefined : combine(struck)
    },
    add: faults => announce(book.add(faults)),
    replace: plan => announce(book.replace(plan)),
    remove: book.remove,
    onAdded: listener => void listeners.push(listener),
  }
}

interface Struck {
  readonly action: FaultAction
  readonly hit: FaultHit
  readonly hold: Hold | undefined
}

function strike(
  rule: Rule,
  subject: Subject,
  { hits, holds }: { hits: Hits; holds: HeldRequests },
): Struck[] {
  const turn = rule.take(subject)
  if (!turn) return []
  const { do: action } = rule.fault
  const facts = factsOf(rule.fault, turn, subject)
  const { fault, family, method, path, user } = facts
  const hold =
    action.hold &&
    holds.hold({
      fault,
      at: action.hold,
      family,
      ...(method && { method }),
      ...(path && { path }),
      ...(user && { user }),
    })
  const hit = hits.add({ ...facts, ...(hold && { held: hold.id }) })
  return [{ action, hit, hold }]
}

/** Delays add up, and every hold applies; for everything else, the first fault wins. */
function combine(struck: readonly Struck[]): Effect {
  const actions = struck.map(({ action }) => action)
  const together = actions.reduceRight<FaultAction>((all, action) => ({ ...all, ...action }), {})
  return {
    ...together,
    wait: struck.reduce((sum, { hit }) => sum + (hit.delay ?? 0), 0),
    label: struck.map(({ hit }) => `${hit.fault}#${hit.n}`).join(', '),
    holds: struck.flatMap(({ hold }) => hold ?? []),
    answer: actions.find(({ status, code }) => status !== undefined || code !== undefined),
  }
}
