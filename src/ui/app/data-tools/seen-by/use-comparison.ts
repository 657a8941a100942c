// Comparison state: starts with the dialog, restarts on refresh, and ends with the dialog.
import { useCallback, useSyncExternalStore } from 'react'
import { useClient } from '../../../react/index.ts'
import type { AccountClient } from '../../../../services/workbench/accounts/index.ts'
import {
  Comparison,
  type ComparisonSnapshot,
  type TableInfo,
  type TableQuery,
  type Viewer,
} from '../../../../services/workbench/table/index.ts'
import { wallTime } from '../../../../services/workbench/text/index.ts'
import { useStarted } from '../../hooks.ts'
import { workRecordings } from '../../work-recordings.ts'

export interface ComparisonInput {
  readonly viewers: readonly Viewer[]
  readonly query: TableQuery
  readonly info: TableInfo
  readonly clientOf: (id: string) => AccountClient
  /** A new number starts a new comparison. */
  readonly round: number
}

export type ComparisonView =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly comparison: Comparison; readonly snapshot: ComparisonSnapshot }

const NOTHING = { subscribe: () => () => undefined, snapshot: () => undefined }

export function useComparison({ viewers, query, info, clientOf, round }: ComparisonInput): ComparisonView {
  const client = useClient()
  const start = useCallback(() => {
    const started = new Comparison({ viewers, query, info, clientOf, wall: () => wallTime(client.now()) })
    workRecordings(client).add(`Comparison ${round + 1} of ${query.table}`, started.job)
    return { started, stop: started.stop }
  }, [viewers, query, info, clientOf, client, round])
  const comparison = useStarted(start)
  const { subscribe, snapshot: read } = comparison ?? NOTHING
  const snapshot = useSyncExternalStore<ComparisonSnapshot | undefined>(subscribe, read)
  // Accounts are identified by position, which differs in an earlier comparison.
  if (!comparison || snapshot === undefined || comparison.viewers !== viewers) return { kind: 'loading' }
  return { kind: 'ready', comparison, snapshot }
}
