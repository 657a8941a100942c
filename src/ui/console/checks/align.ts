// Aligns the recorded and the replayed run step by step around the first difference.
import { type ReplayableTrace, stateLabel, type StepRecord } from '../../../trace/index.ts'

/** A step in brief. */
export interface Cell {
  readonly seq: number
  readonly t: number
  readonly actor: string
  readonly event: string
  /** For actors without states, their status. */
  readonly state: string
}

export interface AlignedRow {
  readonly was?: Cell
  readonly is?: Cell
  /** `alike`: the same event led to the same state; `first`: where the runs diverge. */
  readonly kind: 'alike' | 'first' | 'differs' | 'gone' | 'added'
}

export interface AlignedRun {
  readonly rows: readonly AlignedRow[]
  /** Number of identical steps before the first row. */
  readonly before: number
  /** Number of recorded steps after the last row. */
  readonly after: number
}

/** Rows before the difference. */
const BEFORE = 200
/** Rows after it; diverged runs become less and less comparable. */
const AFTER = 2_000
/** How far ahead a step is searched in the other run. */
const AHEAD = 24

type Run = Pick<ReplayableTrace, 'actors' | 'steps'>

/** Aligns two runs that are identical before the step with this number. */
export function alignRuns(recorded: Run, replayed: Run, index: number): AlignedRun {
  const before = Math.max(0, index - BEFORE)
  const same = recorded.steps.slice(before, index)
  const rows: AlignedRow[] = same.map((step, at) =>
    pair(recorded, step, replayed, replayed.steps[before + at]),
  )
  const until = index + AFTER
  const [was, is] = [recorded, replayed].map(run =>
    run.steps.slice(index, until).map(step => cell(run, step)),
  )
  rows.push(...align(was ?? [], is ?? []))
  const left = Math.max(0, recorded.steps.length - until)
  return { rows, before, after: left }
}

function pair(recorded: Run, was: StepRecord, replayed: Run, is: StepRecord | undefined): AlignedRow {
  const row = { was: cell(recorded, was), kind: 'alike' } as const
  return is ? { ...row, is: cell(replayed, is) } : row
}

const cell = (run: Run, { seq, t, actor, event, value, status }: StepRecord): Cell => ({
  seq,
  t,
  actor: run.actors[actor]?.path ?? `actor ${actor}`,
  event: event.type,
  state: stateLabel(value) || status,
})

const isSameStep = (a: Cell | undefined, b: Cell | undefined) =>
  a !== undefined && b !== undefined && a.actor === b.actor && a.event === b.event

/**
 * Aligns from the first difference on. If neither side matches, the nearest common step is where they meet
 * again.
 */
function align(was: readonly Cell[], is: readonly Cell[]): AlignedRow[] {
  const rows: AlignedRow[] = []
  let [left, right] = [0, 0]
  while (left < was.length || right < is.length) {
    const [a, b] = [was[left], is[right]]
    if (a && b && isSameStep(a, b)) {
      rows.push({ was: a, is: b, kind: a.state === b.state ? 'alike' : 'differs' })
      left += 1
      right += 1
      continue
    }
    const [gone, added] = meeting(was, left, is, right)
    rows.push(...beside(was.slice(left, left + gone), is.slice(right, right + added)))
    left += gone
    right += added
  }
  const [first, ...rest] = rows
  return first ? [{ ...first, kind: 'first' }, ...rest] : []
}

/** Pairs the steps that only one run has with those that only the other has. */
function beside(gone: readonly Cell[], added: readonly Cell[]): AlignedRow[] {
  return Array.from({ length: Math.max(gone.length, added.length) }, (_, at): AlignedRow => {
    const [was, is] = [gone[at], added[at]]
    if (was && is) return { was, is, kind: 'differs' }
    return was ? { was, kind: 'gone' } : { ...(is && { is }), kind: 'added' }
  })
}

/** Returns after how many steps of each the runs meet again; the smallest sum. */
function meeting(was: readonly Cell[], left: number, is: readonly Cell[], right: number): [number, number] {
  for (let sum = 1; sum <= AHEAD; sum++) {
    for (let gone = 0; gone <= sum; gone++) {
      if (isSameStep(was[left + gone], is[right + sum - gone])) return [gone, sum - gone]
    }
  }
  // One of each, so that long stretches without common steps are shown next to each other.
  return [Math.min(1, was.length - left), Math.min(1, is.length - right)]
}
