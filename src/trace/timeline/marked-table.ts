// The marks of a timeline: failures, faults, bookmarks, and lost steps.
import type { BookmarkRecord } from '../format/records.ts'
import { FLAG, type TimelineBlock } from './block.ts'
import { StepTable } from './step-table.ts'

/** A range of steps with lost lines: from `from` up to, but not including, `to`. */
export interface Gap {
  readonly from: number
  to: number
}

/** The columns, and lists of marks. */
export class MarkedTable extends StepTable {
  /** Numbers of the failed steps, ascending. */
  readonly failures: number[] = []
  /** Numbers of the steps that carry an injected fault, ascending. */
  readonly injections: number[] = []
  readonly gaps: Gap[] = []
  /**
   * Bookmarks in the order of creation; a later one replaces an earlier one on the same step. A new list
   * after each change.
   */
  bookmarks: readonly BookmarkRecord[] = []
  readonly #faults = new Map<number, string>()

  /** Id of the fault that a step carries. */
  faultOf(seq: number): string | undefined {
    return this.#faults.get(seq)
  }

  protected mark(seq: number, flags: number): void {
    if ((flags & FLAG.failed) !== 0) this.failures.push(seq)
    if ((flags & FLAG.injected) !== 0) this.injections.push(seq)
    if ((flags & FLAG.lost) === 0) return
    const last = this.gaps.at(-1)
    if (last?.to === seq) last.to += 1
    else this.gaps.push({ from: seq, to: seq + 1 })
  }

  protected takeMarks({ faults, bookmarks }: TimelineBlock): void {
    for (const [seq, fault] of faults) this.#faults.set(seq, fault)
    for (const bookmark of bookmarks) {
      // A new list, so that steps detect the change.
      const others = this.bookmarks.filter(({ step }) => step !== bookmark.step)
      this.bookmarks = bookmark.note === '' ? others : [...others, bookmark]
    }
  }
}
