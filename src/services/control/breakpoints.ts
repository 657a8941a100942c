// Breakpoints: what holds a system, how often each was met, and in which sentence it is told.
import type { Assertion } from '../../trace/assert/formulas.ts'
import type { StateValue } from '../../trace/format.ts'
import { wildcardTest } from '../../trace/wildcards.ts'

/** Where the system is to be held. `actor` is a path, in which `*` stands for anything; every actor unless told. */
export type BreakOn =
  /** After a state was entered, by its path in the machine, e.g. `authenticated.token.refreshing`. */
  | { readonly on: 'state'; readonly actor?: string; readonly state: string }
  /** After a transition was taken, `path#n` as in a trace's `via`. */
  | { readonly on: 'transition'; readonly actor?: string; readonly transition: string }
  /**
   * When an event comes; `*` stands for anything in its type. Those that come from outside are held before they
   * are taken, those that actors send each other after the step to which they belong.
   */
  | { readonly on: 'event'; readonly actor?: string; readonly event: string }
  /** When an assertion fails; the system must be recorded. */
  | { readonly on: 'assertion'; readonly assertion: Assertion }

/** A breakpoint as it stands. */
export interface Breakpoint {
  readonly id: number
  readonly where: BreakOn
  readonly isOn: boolean
  /** How often it was met. */
  readonly hits: number
  /** It holds from the n-th time on; 1 unless told. */
  readonly from: number
  /** In words. */
  readonly text: string
}

/** A step as breakpoints see it. */
export interface SeenStep {
  /** Of the actor that took it. */
  readonly path: string
  readonly type: string
  readonly before: StateValue | undefined
  readonly value: StateValue | undefined
  /** Names of the transitions that were taken. */
  readonly via: readonly string[]
  /** Number of its view, where it is recorded. */
  readonly seq?: number
}

/** Whether a step is what a breakpoint waits for. */
export function meets(where: BreakOn, step: SeenStep): boolean {
  if (where.on === 'assertion' || !fits(where.actor, step.path)) return false
  if (where.on === 'event') return fits(where.event, step.type)
  if (where.on === 'transition') return step.via.includes(where.transition)
  return isIn(step.value, where.state) && !isIn(step.before, where.state)
}

/** Whether a name fits a pattern. */
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
  if (where.on === 'event') return `${where.event} comes to ${who}`
  return `${who} takes transition ${where.transition}`
}

/** The breakpoints of one system. */
export class Breakpoints {
  #list: readonly Breakpoint[] = []
  #next = 1

  list(): readonly Breakpoint[] {
    return this.#list
  }

  /** Those that are on. */
  active(): readonly Breakpoint[] {
    return this.#list.filter(({ isOn }) => isOn)
  }

  /** @param from the how manyeth time is the first that holds */
  add(where: BreakOn, from = 1): Breakpoint {
    const made = { id: this.#next++, where, isOn: true, hits: 0, from, text: inWords(where) }
    this.#list = [...this.#list, made]
    return made
  }

  change(id: number, change: Partial<Pick<Breakpoint, 'isOn' | 'from' | 'hits'>>): void {
    this.#list = this.#list.map(one => (one.id === id ? { ...one, ...change } : one))
  }

  remove(id: number): void {
    this.#list = this.#list.filter(one => one.id !== id)
  }

  /** Counts that it was met; it as it stands when it is to hold, else nothing. */
  hit(id: number): Breakpoint | undefined {
    const known = this.#list.find(one => one.id === id)
    if (!known) return undefined
    const hits = known.hits + 1
    this.change(id, { hits })
    return hits >= known.from ? { ...known, hits } : undefined
  }
}
