// Two runs side by side: what was recorded and what a replay did, step by step, around the first difference.
import { stateLabel } from '../../../trace/timeline/state-value.ts'
import type { ReplayableTrace, ViewRecord } from '../../../trace/format.ts'

/** One step in few words. */
export interface Cell {
  readonly seq: number
  readonly t: number
  readonly actor: string
  readonly event: string
  /** The status of what has no states. */
  readonly state: string
}

export interface AlignedRow {
  readonly was?: Cell
  readonly is?: Cell
  /** `alike`: the same event led to the same state; `first`: where the runs part. */
  readonly kind: 'alike' | 'first' | 'differs' | 'gone' | 'added'
}

export interface AlignedRun {
  readonly rows: readonly AlignedRow[]
  /** Steps of the recording before the first row, all of them the same. */
  readonly before: number
  /** Steps of the recording after the last row. */
  readonly after: number
}

/** Rows before the difference: what led there. */
const BEFORE = 200
/** Rows after it; nobody reads more, and two runs that parted say less and less of each other. */
const AFTER = 2_000
/** How far a step is looked for in the other run. */
const AHEAD = 24

type Run = Pick<ReplayableTrace, 'actors' | 'views'>

/** Puts two runs side by side that are the same before the view with this number. */
export function alignRuns(recorded: Run, replayed: Run, index: number): AlignedRun {
  const before = Math.max(0, index - BEFORE)
  const same = recorded.views.slice(before, index)
  const rows: AlignedRow[] = same.map((view, at) =>
    pair(recorded, view, replayed, replayed.views[before + at]),
  )
  const until = index + AFTER
  const [was, is] = [recorded, replayed].map(run =>
    run.views.slice(index, until).map(view => cell(run, view)),
  )
  rows.push(...align(was ?? [], is ?? []))
  const left = Math.max(0, recorded.views.length - until)
  return { rows, before, after: left }
}

function pair(recorded: Run, was: ViewRecord, replayed: Run, is: ViewRecord | undefined): AlignedRow {
  const row = { was: cell(recorded, was), kind: 'alike' } as const
  return is ? { ...row, is: cell(replayed, is) } : row
}

const cell = (run: Run, { seq, t, actor, event, value, status }: ViewRecord): Cell => ({
  seq,
  t,
  actor: run.actors[actor]?.path ?? `actor ${actor}`,
  event: event.type,
  state: stateLabel(value) || status,
})

const isSameStep = (a: Cell | undefined, b: Cell | undefined) =>
  a !== undefined && b !== undefined && a.actor === b.actor && a.event === b.event

/** From the first difference on. Where neither goes on, the nearest step that both took is where they meet again. */
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

/** What only one of the runs has, in the place of what only the other has. */
function beside(gone: readonly Cell[], added: readonly Cell[]): AlignedRow[] {
  return Array.from({ length: Math.max(gone.length, added.length) }, (_, at): AlignedRow => {
    const [was, is] = [gone[at], added[at]]
    if (was && is) return { was, is, kind: 'differs' }
    return was ? { was, kind: 'gone' } : { ...(is && { is }), kind: 'added' }
  })
}

/** After how many steps of each the runs meet again; the fewest together. */
function meeting(was: readonly Cell[], left: number, is: readonly Cell[], right: number): [number, number] {
  for (let sum = 1; sum <= AHEAD; sum++) {
    for (let gone = 0; gone <= sum; gone++) {
      if (isSameStep(was[left + gone], is[right + sum - gone])) return [gone, sum - gone]
    }
  }
  // One of each, so that long stretches without anything in common stand beside each other.
  return [Math.min(1, was.length - left), Math.min(1, is.length - right)]
}
