// The engine: the plan as it stands, what hits a request or frame, and what follows from all that hit it.
import type { ShiftableClock } from './shiftable-clock.ts'
import { createHits, factsOf, type FaultHit, type Hits } from './hits.ts'
import { createHolds, type HeldAnswer, type Hold, type Holds } from './holds.ts'
import { createRule, type NamedFault, type Rule, type Subject } from './rule.ts'
import { tell } from './stories.ts'
import { FaultPlanError } from './parse-plan.ts'
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
  /** @throws FaultPlanError when an id is taken */
  add(faults: readonly (Fault | Story)[]): readonly string[]
  replace(plan: FaultPlan): readonly string[]
  /** Takes a fault away, a whole story by its name, or all; how many went. */
  remove(id?: string): number
  /** Calls back with the ids of faults that came. */
  onAdded(listener: (ids: ReadonlySet<string>) => void): void
}

const DEFAULT_SEED = 1

export function createEngine(clock: ShiftableClock): Engine {
  const [hits, holds] = [createHits(), createHolds()]
  const listeners: ((ids: ReadonlySet<string>) => void)[] = []
  let seed = DEFAULT_SEED
  let rules: readonly Rule[] = []
  let clockLabel: string | undefined
  let unnamed = 0

  const install = (next: readonly Rule[]) => {
    rules = next
    const shifts = rules.filter(({ fault }) => fault.do.clock !== undefined)
    clock.shift(shifts.reduce((sum, { fault }) => sum + (fault.do.clock ?? 0), 0))
    clockLabel = shifts.length === 0 ? undefined : shifts.map(({ fault }) => `${fault.id}#1`).join(', ')
  }
  const put = (kept: readonly Rule[], added: readonly (Fault | Story)[]) => {
    const taken = new Set(kept.map(({ fault }) => fault.id))
    const nextId = () => {
      do unnamed += 1
      while (taken.has(`fault-${unnamed}`))
      return `fault-${unnamed}`
    }
    const named = added
      .flatMap(one => ('story' in one ? tell(one.story) : [one]))
      .map(fault => name(fault, taken, nextId))
    install([...kept, ...named.map(fault => createRule(fault, seed))])
    for (const { id, do: action } of named)
      if (action.clock !== undefined) hits.add({ fault: id, n: 1, family: 'clock' })
    const ids = named.map(({ id }) => id)
    for (const listener of listeners) listener(new Set(ids))
    return ids
  }
  return {
    hits,
    holds,
    isQuiet: () => rules.length === 0,
    asksWho: () => rules.some(({ fault }) => fault.when?.user !== undefined),
    clockLabel: () => clockLabel,
    plan: () => ({ seed, faults: rules.map(rule => ({ ...rule.fault, hits: rule.hits() })) }),
    decide(subject, only) {
      const asked = only ? rules.filter(({ fault }) => only.has(fault.id)) : rules
      const struck = asked.flatMap(rule => strike(rule, subject, { hits, holds }))
      return struck.length === 0 ? undefined : combine(struck)
    },
    add: added => put(rules, added),
    replace(plan) {
      seed = plan.seed ?? DEFAULT_SEED
      unnamed = 0
      return put([], plan.faults)
    },
    remove(id) {
      const kept = rules.filter(
        ({ fault }) => id !== undefined && fault.id !== id && !fault.id.startsWith(`${id}.`),
      )
      const gone = rules.length - kept.length
      install(kept)
      return gone
    },
    onAdded: listener => void listeners.push(listener),
  }
}

function name(fault: Fault, taken: Set<string>, nextId: () => string): NamedFault {
  const id = fault.id ?? nextId()
  if (taken.has(id)) {
    throw new FaultPlanError([
      { path: 'id', message: `"${id}" is taken; take another, or remove that fault first` },
    ])
  }
  taken.add(id)
  return { ...fault, id }
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
