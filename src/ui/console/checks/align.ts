// Aligns two runs step by step around the first difference: a recording and its replay, or two recordings.
import {
  diffSteps,
  type ReplayableTrace,
  stateLabel,
  type StepRecord,
  type TraceChange,
} from '../../../trace/index.ts'

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
  /**
   * `alike`: the same event led to the same state; `values`: but with other values; `first`: where the runs
   * diverge.
   */
  readonly kind: 'alike' | 'values' | 'first' | 'differs' | 'gone' | 'added'
  /** How steps that have the same event differ, of two recordings. */
  readonly changes?: readonly TraceChange[]
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
  const [first, ...rest] = align(was ?? [], is ?? [], isSameStep)
  if (first) rows.push({ ...first, kind: 'first' }, ...rest)
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

const isSameEvent = (a: Cell | undefined, b: Cell | undefined) =>
  a !== undefined && b !== undefined && a.event === b.event

type IsSame = typeof isSameStep

/** If neither side matches, the nearest common step is where they meet again. */
function align(was: readonly Cell[], is: readonly Cell[], isSame: IsSame): AlignedRow[] {
  const rows: AlignedRow[] = []
  let [left, right] = [0, 0]
  while (left < was.length || right < is.length) {
    const [a, b] = [was[left], is[right]]
    if (a && b && isSame(a, b)) {
      rows.push({ was: a, is: b, kind: a.state === b.state ? 'alike' : 'differs' })
      left += 1
      right += 1
      continue
    }
    const [gone, added] = meeting(was, left, is, right, isSame)
    rows.push(...beside(was.slice(left, left + gone), is.slice(right, right + added)))
    left += gone
    right += added
  }
  return rows
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
function meeting(
  was: readonly Cell[],
  left: number,
  is: readonly Cell[],
  right: number,
  isSame: IsSame,
): [number, number] {
  for (let sum = 1; sum <= AHEAD; sum++) {
    for (let gone = 0; gone <= sum; gone++) {
      if (isSame(was[left + gone], is[right + sum - gone])) return [gone, sum - gone]
    }
  }
  // One of each, so that long stretches without common steps are shown next to each other.
  return [Math.min(1, was.length - left), Math.min(1, is.length - right)]
}

export interface ComparedRuns {
  readonly runs: AlignedRun
  /** Absent if neither events, states nor values differ. */
  readonly first?: AlignedRow & {
    /** Number of rows before it, which have the same events and states. */
    readonly after: number
    /** Whether only values differ anywhere. */
    readonly isOnlyValues: boolean
  }
}

/**
 * Compares two recordings actor by actor, so that neither times nor the order between actors matter. Values
 * such as times and ids differ in every run, so the first difference is that of an event or a state, if there
 * is one.
 */
export function compareRuns(a: ReplayableTrace, b: ReplayableTrace): ComparedRuns {
  const [mine, theirs] = [cellsByActor(a), cellsByActor(b)]
  const all = merged(
    [...new Set([...mine.keys(), ...theirs.keys()])].flatMap(key =>
      align(mine.get(key) ?? [], theirs.get(key) ?? [], isSameEvent),
    ),
  )
  const behavior = all.findIndex(({ kind }) => kind !== 'alike')
  const at = behavior >= 0 ? behavior : all.findIndex(row => changesOf(a, b, row).length > 0)
  const before = Math.max(0, at - BEFORE)
  const until = Math.max(at, 0) + AFTER
  const rows = all.slice(before, until).map((row): AlignedRow => {
    const changes = changesOf(a, b, row)
    return changes.length === 0 ? row : { ...row, changes, kind: row.kind === 'alike' ? 'values' : row.kind }
  })
  const found = rows[at - before]
  if (found) rows[at - before] = { ...found, kind: 'first' }
  return {
    runs: { rows, before, after: Math.max(0, all.length - until) },
    ...(found && { first: { ...found, after: at, isOnlyValues: behavior < 0 } }),
  }
}

function changesOf(a: ReplayableTrace, b: ReplayableTrace, { was, is }: AlignedRow): readonly TraceChange[] {
  const [one, other] = [a.steps[was?.seq ?? -1], b.steps[is?.seq ?? -1]]
  return one && other && one.event.type === other.event.type ? diffSteps(a, one, b, other) : []
}

/** In the order of the first recording; steps that only the second one has follow what preceded them there. */
function merged(rows: readonly AlignedRow[]): readonly AlignedRow[] {
  const bySeq = (side: 'was' | 'is') => (one: AlignedRow, other: AlignedRow) =>
    (one[side]?.seq ?? 0) - (other[side]?.seq ?? 0)
  const recorded = rows.filter(({ was }) => was !== undefined).sort(bySeq('was'))
  const added = rows.filter(({ was }) => was === undefined).sort(bySeq('is'))
  const all: AlignedRow[] = []
  let next = 0
  for (const row of recorded) {
    while (row.is && (added[next]?.is?.seq ?? Infinity) < row.is.seq) all.push(...added.slice(next, ++next))
    all.push(row)
  }
  return [...all, ...added.slice(next)]
}

function cellsByActor(run: Run): ReadonlyMap<string, readonly Cell[]> {
  const keys = actorKeys(run)
  const cells = new Map<string, Cell[]>()
  for (const step of run.steps) {
    const key = keys[step.actor] ?? ''
    const known = cells.get(key)
    if (known) known.push(cell(run, step))
    else cells.set(key, [cell(run, step)])
  }
  return cells
}

/**
 * Identifies actors by their purpose, since the numbers in their names depend on what ran before: by parent,
 * name without numbers, the request that they were started with, and how many equal ones came before.
 */
function actorKeys({ actors, steps }: Run): readonly string[] {
  const inputs = new Map<number, string>()
  for (const { actor, event } of steps) if (!inputs.has(actor)) inputs.set(actor, requestOf(event))
  const counts = new Map<string, number>()
  const keys: string[] = []
  for (const [index, { path, parent }] of actors.entries()) {
    const name = path.slice(path.lastIndexOf('/') + 1).replaceAll(/\d+/g, '#')
    const purpose = [parent === undefined ? '' : keys[parent], name, inputs.get(index)].join(' ')
    const count = counts.get(purpose) ?? 0
    counts.set(purpose, count + 1)
    keys.push(`${purpose} ${count}`)
  }
  return keys
}

function requestOf(event: StepRecord['event']): string {
  const { input } = event as { readonly input?: { readonly info?: { method?: unknown; path?: unknown } } }
  const { method, path } = input?.info ?? {}
  return typeof path === 'string' ? `${typeof method === 'string' ? method : ''} ${path}` : ''
}

/** The last ones of a chain. */
const MOST_CAUSES = 12

/** Returns the steps that led to a step, ending with it. */
export function causesOf(run: Run, seq: number): readonly Cell[] {
  const chain: Cell[] = []
  for (let at: number | undefined = seq; at !== undefined && chain.length < MOST_CAUSES;) {
    const step: StepRecord | undefined = run.steps[at]
    if (!step) break
    chain.unshift(cell(run, step))
    at = step.by
  }
  return chain
}
