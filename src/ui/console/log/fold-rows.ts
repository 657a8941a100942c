// Rows of the folded log: each step that is not folded has a row, and so has each step of an expanded fold.
import { countUpToNumber, type StepFolds } from '../../../trace/index.ts'

/** A row of the folded log. */
export interface FoldRow {
  readonly seq: number
  /** The step into which it is folded, or itself. */
  readonly head: number
  /** How many steps are folded into this one. */
  readonly steps: number
  readonly isOpen: boolean
}

/** Which folds are expanded, and the rows that follow from it; grows with the folds. */
export class FoldRows {
  readonly folds: StepFolds
  /** Folds that the user expanded or collapsed. */
  readonly #chosen = new Map<number, boolean>()
  /** Folds with a step that has a mark. */
  #marked: ReadonlySet<number> = new Set()
  #marks: ReadonlySet<number> = new Set()
  /** The fold of the selected step, until another one is revealed. */
  #revealed = -1
  /** The step to reveal last. */
  #asked = -1
  /** Steps of expanded folds, ascending, and the row of each. */
  #inner: number[] = []
  #rows: number[] = []
  /** Expanded folds; undefined after a change. */
  #open: readonly number[] | undefined
  /** How many steps were folded when the inner rows were computed. */
  #size = 0

  constructor(folds: StepFolds) {
    this.folds = folds
  }

  /** Number of rows. */
  get length(): number {
    return this.folds.shown.length + this.#innerSteps().length
  }

  isOpen(head: number): boolean {
    return this.#chosen.get(head) ?? (head === this.#revealed || this.#marked.has(head))
  }

  /** Expands or collapses a fold. */
  set(head: number, isOpen: boolean): void {
    this.#chosen.set(head, isOpen)
    this.#open = undefined
  }

  /** Expands the fold that contains a step, once, so that the user may collapse it again. */
  reveal(seq: number): void {
    const head = this.folds.headOf(seq)
    if (seq === this.#asked || Number.isNaN(head)) return
    this.#asked = seq
    if (head === seq || this.isOpen(head)) return
    this.#chosen.delete(head)
    this.#revealed = head
    this.#open = undefined
  }

  /** Expands the folds of steps with marks, which the user may collapse again. */
  mark(seqs: readonly number[]): void {
    const marks = seqs.filter(seq => seq < this.folds.size)
    if (marks.length === this.#marks.size && marks.every(seq => this.#marks.has(seq))) return
    const heads = (of: readonly number[]) => of.map(seq => this.folds.headOf(seq))
    // A new mark counts more than an earlier choice.
    for (const head of heads(marks.filter(seq => !this.#marks.has(seq)))) this.#chosen.delete(head)
    this.#marks = new Set(marks)
    this.#marked = new Set(heads(marks.filter(seq => this.folds.headOf(seq) !== seq)))
    this.#open = undefined
  }

  /** Returns the content of a row; undefined beyond the last. */
  at(row: number): FoldRow | undefined {
    const seq = this.seqAt(row)
    if (seq < 0) return undefined
    const steps = this.folds.sizeOf(seq)
    return { seq, head: this.folds.headOf(seq), steps, isOpen: steps > 0 && this.isOpen(seq) }
  }

  /** Returns the number of the step in this row, or -1. */
  seqAt(row: number): number {
    if (row < 0) return -1
    const inner = this.#innerSteps()
    const before = countUpToNumber(this.#rows, row)
    if (before > 0 && this.#rows[before - 1] === row) return inner[before - 1] ?? -1
    return this.folds.shown[row - before] ?? -1
  }

  /** Returns the last row whose step is at or before `seq`; -1 if there is none. */
  rowOf(seq: number): number {
    return countUpToNumber(this.folds.shown, seq) + countUpToNumber(this.#innerSteps(), seq) - 1
  }

  /** Returns the step whose row represents `seq`: itself, or the head of its collapsed fold. */
  holderOf(seq: number): number {
    const head = this.folds.headOf(seq)
    return Number.isNaN(head) || this.isOpen(head) ? seq : head
  }

  /** Returns the step `by` rows away from `seq`, clamped at both ends. */
  step(seq: number, by: 1 | -1): number {
    const row = this.rowOf(seq)
    const isOnRow = this.seqAt(row) === seq
    const next = by === 1 || isOnRow ? row + by : row
    return this.seqAt(Math.min(Math.max(next, 0), this.length - 1))
  }

  /** Steps of expanded folds, ascending. */
  #innerSteps(): readonly number[] {
    const { folds } = this
    if (this.#open && this.#size === folds.size) return this.#inner
    this.#size = folds.size
    const open = this.#open ?? this.#openFolds()
    const length = open.reduce((sum, head) => sum + folds.sizeOf(head), 0)
    if (this.#open && length === this.#inner.length) return this.#inner
    this.#open = open
    this.#inner = open.flatMap(head => folds.stepsIn(head)).sort((a, b) => a - b)
    this.#rows = this.#inner.map((seq, at) => at + countUpToNumber(folds.shown, seq))
    return this.#inner
  }

  #openFolds(): readonly number[] {
    const heads = new Set([...this.#chosen.keys(), ...this.#marked, this.#revealed])
    return [...heads].filter(head => this.isOpen(head))
  }
}
