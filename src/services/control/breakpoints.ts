// Breakpoints: where a system pauses, hit counts, and descriptions.
import { type Assertion, type StateValue, wildcardTest } from '../../trace/index.ts'

/** Where the system pauses. `actor` is a path, in which `*` matches anything. Defaults to every actor. */
export type BreakOn =
  /** After a state is entered, by its path in the machine, e.g. `authenticated.token.refreshing`. */
  | { readonly on: 'state'; readonly actor?: string; readonly state: string }
  /** After a transition is taken, `path#n` as in a trace's `via`. */
  | { readonly on: 'transition'; readonly actor?: string; readonly transition: string }
  /**
   * On an event; `*` in its type matches anything. External events pause the system before they are
   * processed, events between actors after the step they belong to.
   */
  | { readonly on: 'event'; readonly actor?: string; readonly event: string }
  /** When an assertion fails; the system must be recorded. */
  | { readonly on: 'assertion'; readonly assertion: Assertion }

/** State of a breakpoint. */
export interface Breakpoint {
  readonly id: number
  readonly where: BreakOn
  readonly isOn: boolean
  /** Number of hits. */
  readonly hits: number
  /** The n-th hit and later ones pause the system. Defaults to 1. */
  readonly from: number
  /** Description for the UI. */
  readonly text: string
}

/** A step as seen by breakpoints. */
export interface SeenStep {
  /** Path of the actor that took it. */
  readonly path: string
  readonly type: string
  readonly before: StateValue | undefined
  readonly value: StateValue | undefined
  /** Names of the transitions taken. */
  readonly via: readonly string[]
  /** Number of its step, if it is recorded. */
  readonly seq?: number
}

/** Whether a step matches a breakpoint. */
export function meets(where: BreakOn, step: SeenStep): boolean {
  if (where.on === 'assertion' || !fits(where.actor, step.path)) return false
  if (where.on === 'event') return fits(where.event, step.type)
  if (where.on === 'transition') return step.via.includes(where.transition)
  return isIn(step.value, where.state) && !isIn(step.before, where.state)
}

/** Whether a name matches a pattern. */
export function fits(pattern: string | undefined, name: string): boolean {
  if (pattern === undefined || pattern === name) return true
  return pattern.includes('*') && wildcardTest(pattern)(name)
}

/** Whether the state at this path is active. */
export function isIn(value: StateValue | undefined, path: string): boolean {
  const [key = '', ...rest] = path.split('.')
  if (value === undefined) return false
  if (typeof value === 'string') return value === path
  if (!Object.hasOwn(value, key)) return false
  return rest.length === 0 || isIn(value[key], rest.join('.'))
}

function inWords(where: BreakOn): string {
  if (where.on === 'assertion') return `“${where.assertion.name}” fails`
  const who = where.actor ?? 'any actor'
  if (where.on === 'state') return `${who} enters ${where.state}`
  if (where.on === 'event') return `${who} receives ${where.event}`
  return `${who} takes transition ${where.transition}`
}

/** The breakpoints of one system. */
export class Breakpoints {
  #list: readonly Breakpoint[] = []
  #next = 1

  list(): readonly Breakpoint[] {
    return this.#list
  }

  /** Enabled breakpoints. */
  active(): readonly Breakpoint[] {
    return this.#list.filter(({ isOn }) => isOn)
  }

  /** @param from number of the first hit that pauses the system */
  add(where: BreakOn, from = 1): Breakpoint {
    const breakpoint = { id: this.#next++, where, isOn: true, hits: 0, from, text: inWords(where) }
    this.#list = [...this.#list, breakpoint]
    return breakpoint
  }

  change(id: number, change: Partial<Pick<Breakpoint, 'isOn' | 'from' | 'hits'>>): void {
    this.#list = this.#list.map(one => (one.id === id ? { ...one, ...change } : one))
  }

  remove(id: number): void {
    this.#list = this.#list.filter(one => one.id !== id)
  }

  /** Counts a hit. Returns the breakpoint if it should pause the system, otherwise undefined. */
  hit(id: number): Breakpoint | undefined {
    const breakpoint = this.#list.find(one => one.id === id)
    if (!breakpoint) return undefined
    const hits = breakpoint.hits + 1
    this.change(id, { hits })
    return hits >= breakpoint.from ? { ...breakpoint, hits } : undefined
  }
}
