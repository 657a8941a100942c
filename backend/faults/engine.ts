// The engine: the plan as it stands, what hits a request or frame, and what follows from all that hit it.
import type { ShiftableClock } from './shiftable-clock.ts'
import { createHits, factsOf, type FaultHit, type Hits } from './hits.ts'
import { createHolds, type HeldAnswer, type Hold, type Holds } from './holds.ts'
import { createRuleBook } from './rule-book.ts'
import type { NamedFault, Rule, Subject } from './rule.ts'
import type { Fault, FaultPlan, FaultAction, Story } from './plan.ts'

/** What is to happen, put together from every fault that hit. */
export interface Effect extends FaultAction {
  /** Milliseconds, jitter included. */
  readonly wait: number
  /** For the response's header, e.g. `late#2`. */
  readonly label: string
  readonly holds: readonly Hold[]
  /** The answer in place of the real one. */
  readonly answer: HeldAnswer | undefined
}

export interface Engine {
  readonly hits: Hits
  readonly holds: Holds
  /** Whether nothing at all is planned; asked before anything else. */
  isQuiet(): boolean
  /** Whether a fault looks at who calls, beyond what a token says. */
  asksWho(): boolean
  /** Of the faults on the clock, for the header of every answer. */
  clockLabel(): string | undefined
  plan(): { readonly seed: number; readonly faults: readonly (NamedFault & { readonly hits: number })[] }
  /** Counts what happened, and says what is to follow; of all faults unless told of which. */
  decide(subject: Subject, only?: ReadonlySet<string>): Effect | undefined
  /** @throws FaultPlanError when an id is taken, or there are too many */
  add(faults: readonly (Fault | Story)[]): readonly string[]
  replace(plan: FaultPlan): readonly string[]
  /** Takes a fault away, a whole story by its name, or all; how many went. */
  remove(id?: string): number
  /** Calls back with the ids of faults that came. */
  onAdded(listener: (ids: ReadonlySet<string>) => void): void
}

export function createEngine(clock: ShiftableClock): Engine {
  const [hits, holds, book] = [createHits(), createHolds(), createRuleBook(clock)]
  const listeners: ((ids: ReadonlySet<string>) => void)[] = []
  const announce = (added: readonly NamedFault[]) => {
    const moving = added.filter(fault => fault.do.clock !== undefined)
    for (const { id } of moving) hits.add({ fault: id, n: 1, family: 'clock' })
    const ids = added.map(({ id }) => id)
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
    decide(subject, only) {
      const asked = only ? book.rules().filter(({ fault }) => only.has(fault.id)) : book.rules()
      const struck = asked.flatMap(rule => strike(rule, subject, { hits, holds }))
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

function strike(rule: Rule, subject: Subject, { hits, holds }: { hits: Hits; holds: Holds }): Struck[] {
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

/** Waits add up, and every hold holds; of anything else the first fault's word counts. */
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
