// The report of a check: the findings and the final verdict of each assertion.
import { failureOf, type AssertionFailure, type Lookup } from './failure.ts'
import type { Assertion } from './formulas.ts'
import type { Found, Verdict } from './monitor.ts'
import type { AssertionRun, RunListener } from './run.ts'
import type { ObservedStep } from './steps.ts'

/** The result of one assertion. */
export interface AssertionResult {
  readonly name: string
  readonly says?: string
  /** `so far`: no failure in the trace up to here; `pending`: an expected step is missing. */
  readonly verdict: Verdict
  /** The first failures. */
  readonly failures: readonly AssertionFailure[]
  /** Number of failures. */
  readonly failed: number
  /** What was pending when the trace ended. */
  readonly waiting: readonly AssertionFailure[]
  /**
   * Whether any actor of the trace matches; otherwise the assertion passes without checking anything, and a
   * name may be misspelled.
   */
  readonly isMet: boolean
}

/** The report of a check. */
export interface CheckReport {
  /** The worst verdict; `holds` includes no failure so far. */
  readonly outcome: 'holds' | 'pending' | 'fails'
  readonly results: readonly AssertionResult[]
  /** Number of checked steps: all up to the first damaged one. */
  readonly steps: number
  /** Whether the end of the trace counts as the end of the system. */
  readonly isClosed: boolean
}

type Finding = readonly [found: Found, at: ObservedStep]

/** Collects the first findings of each assertion; describes them in full at the end. */
export class Tally implements RunListener {
  readonly #assertions: readonly Assertion[]
  readonly #limit: number
  readonly #failed = new Map<Assertion, { count: number; readonly first: Finding[] }>()
  readonly #waiting = new Map<Assertion, Finding[]>()

  constructor(assertions: readonly Assertion[], limit: number) {
    this.#assertions = assertions
    this.#limit = limit
  }

  readonly failed = (assertion: Assertion, found: Found, at: ObservedStep): void => {
    const known = this.#failed.get(assertion) ?? { count: 0, first: [] }
    known.count += 1
    if (known.first.length < this.#limit) known.first.push([found, at])
    this.#failed.set(assertion, known)
  }

  readonly waits = (assertion: Assertion, found: Found, at: ObservedStep): void => {
    const known = this.#waiting.get(assertion) ?? []
    if (known.length < this.#limit) known.push([found, at])
    this.#waiting.set(assertion, known)
  }

  /** Number of failures. */
  get count(): number {
    let all = 0
    for (const { count } of this.#failed.values()) all += count
    return all
  }

  /** The steps of the described findings, whose causes are looked up. */
  drain(): ObservedStep[] {
    const all = [
      ...[...this.#failed.values()].flatMap(({ first }) => first),
      ...[...this.#waiting.values()].flat(),
    ]
    return all.map(([{ trigger }, at]) => trigger ?? at)
  }

  report(run: AssertionRun, steps: number, isClosed: boolean, lookup: Lookup): CheckReport {
    const [verdicts, met] = [run.verdicts(), run.met()]
    const results = this.#assertions.map((one, index): AssertionResult => {
      const report = ([found, at]: Finding) => failureOf(one.name, found, at, lookup)
      const failed = this.#failed.get(one)
      return {
        name: one.name,
        ...(one.says !== undefined && { says: one.says }),
        verdict: verdicts[index] ?? 'holds',
        failures: failed?.first.map(report) ?? [],
        failed: failed?.count ?? 0,
        waiting: this.#waiting.get(one)?.map(report) ?? [],
        isMet: met[index] ?? false,
      }
    })
    const outcome = (['fails', 'pending'] as const).find(bad => verdicts.includes(bad)) ?? 'holds'
    return { outcome, results, steps, isClosed }
  }
}
