// Compares a drive with a file without steps, by the hashes of all actors' steps.
import type { ReplayableTrace } from '../../../trace/index.ts'
import { Comparison, soundPart } from './comparison.ts'
import type { StepComparison } from '../drive/drive-comparison.ts'
import { BoundedList } from '../drive/drive-report.ts'

/** Finds the first difference. Later differences of single actors cannot be determined. */
export class HashComparison implements StepComparison {
  first: StepComparison['first']
  readonly later = new BoundedList<never>(0)
  readonly #comparison: Comparison

  constructor(recorded: ReplayableTrace, here: ReplayableTrace) {
    this.#comparison = new Comparison(recorded, here, soundPart(recorded))
  }

  step(at: number): void {
    if (this.first) return
    const wrong = this.#comparison.next([])
    if (wrong) this.first = { at, wrong }
  }

  final(): never[] {
    return []
  }
}
