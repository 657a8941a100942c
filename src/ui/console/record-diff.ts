// What a record changed against the snapshot before it of the same actor, line by line.
import { diffValues } from '../../trace/diff.ts'
import type { ViewRecord } from '../../trace/format.ts'
import { stateChange } from './state-value.ts'

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
  const { from, to } = stateChange(before?.value, after.value)
  if (from !== '') return [{ type: 'changed', path: 'state', before: from, after: to }]
  return before === undefined && to !== '' ? [{ type: 'added', path: 'state', after: to }] : []
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
