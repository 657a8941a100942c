// What stands out in a timeline: failures, faults, notes, and what was lost.
import type { BookmarkRecord } from '../format.ts'
import { FLAG, type TimelineBlock } from './block.ts'
import { ViewTable } from './view-table.ts'

/** A stretch of views whose lines were lost: from `from` up to, but without, `to`. */
export interface Gap {
  readonly from: number
  to: number
}

/** The columns, and lists of what stands out. */
export class MarkedTable extends ViewTable {
  /** Numbers of the views that failed, ascending. */
  readonly failures: number[] = []
  /** Numbers of the views that carry a fault made on command, ascending. */
  readonly injections: number[] = []
  readonly gaps: Gap[] = []
  /** Notes on views, in the order in which they were made; a later one replaces one on the same view. Another list when it changes. */
  bookmarks: readonly BookmarkRecord[] = []
  readonly #faults = new Map<number, string>()

  /** Id of the fault that a view carries. */
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
      // Another list, so that those who draw it see that it changed.
      const others = this.bookmarks.filter(({ view }) => view !== bookmark.view)
      this.bookmarks = bookmark.note === '' ? others : [...others, bookmark]
    }
  }
}
