// What a record changed against the snapshot before it of the same actor, line by line.
import { diffValues } from '../../trace/diff.ts'
import type { ViewRecord } from '../../trace/format.ts'

/** One changed place. */
export interface DiffLine {
  readonly type: 'added' | 'removed' | 'changed'
  /** Dotted path; the state value lies under `state`, the context under `context`. */
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
  return { lines: lines.toSorted((a, b) => rank(a.path) - rank(b.path)), truncated }
}

const rank = (path: string): number =>
  ['status', 'state', 'output', 'error'].indexOf(path.split('.')[0] ?? '') >>> 0

const dotted = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')

function snapshotOf(view: ViewRecord | undefined): Readonly<Record<string, unknown>> {
  if (!view) return {}
  const { value, status, context, output, error } = view
  const parts = { state: value, status: status === 'active' ? undefined : status, context, output, error }
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
}
