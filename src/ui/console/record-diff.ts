// What a record changed against the snapshot before it of the same actor, line by line.
import { diffValues } from '../../trace/diff.ts'
import type { ViewRecord } from '../../trace/format.ts'
import { leafPaths, stateLabel } from '../../trace/timeline/state-value.ts'

/** One changed place. */
export interface DiffLine {
  readonly type: 'added' | 'removed' | 'changed'
  /** Dotted path: `state`, `status`, or a place under `context`, `output` or `error`. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface RecordDiff {
  readonly lines: readonly DiffLine[]
  /** Whether there are more changes than are listed. */
  readonly truncated: boolean
}

/** The changes of state value, status, context, output and error; all is new without a record before. */
export function recordDiff(before: ViewRecord | undefined, after: ViewRecord): RecordDiff {
  const { updated, removed, added, truncated } = diffValues(snapshotOf(before), snapshotOf(after))
  const lines: readonly DiffLine[] = [
    ...Object.entries(updated).map(([pointer, [was, is]]) => ({
      type: 'changed' as const,
      path: dotted(pointer),
      before: was,
      after: is,
    })),
    ...Object.entries(removed).map(([pointer, was]) => ({
      type: 'removed' as const,
      path: dotted(pointer),
      before: was,
    })),
    ...Object.entries(added).map(([pointer, is]) => ({
      type: 'added' as const,
      path: dotted(pointer),
      after: is,
    })),
  ]
  const all = [...stateLines(before, after), ...lines]
  return { lines: all.toSorted((a, b) => rank(a.path) - rank(b.path)), truncated }
}

/** The state as the log writes it: a whole value says less than what moved. */
function stateLines(before: ViewRecord | undefined, after: ViewRecord): readonly DiffLine[] {
  const [was, is] = [leafPaths(before?.value), leafPaths(after.value)]
  if (is.length > 0 && before === undefined) {
    return [{ type: 'added', path: 'state', after: stateLabel(after.value) }]
  }
  const left = was.filter(path => !is.includes(path))
  const entered = is.filter(path => !was.includes(path))
  if (left.length === 0 && entered.length === 0) return []
  return [{ type: 'changed', path: 'state', before: left.join(', '), after: entered.join(', ') }]
}

const rank = (path: string): number =>
  ['status', 'state', 'output', 'error'].indexOf(path.split('.')[0] ?? '') >>> 0

const dotted = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')

function snapshotOf(view: ViewRecord | undefined): Readonly<Record<string, unknown>> {
  if (!view) return {}
  const { status, context, output, error } = view
  const parts = { status: status === 'active' ? undefined : status, context, output, error }
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
}
