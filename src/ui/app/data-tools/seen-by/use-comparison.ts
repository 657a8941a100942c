// Comparison state: starts with the dialog, restarts on refresh, and ends with the dialog.
import { useEffect, useState, useSyncExternalStore } from 'react'
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
  /** The code could not be loaded. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly comparison: Comparison; readonly snapshot: ComparisonSnapshot }

const NOTHING = { subscribe: () => () => undefined, snapshot: () => undefined }

export function useComparison({ viewers, query, info, clientOf, round }: ComparisonInput): ComparisonView {
  const client = useClient()
  const [comparison, setComparison] = useState<Comparison | 'failed'>()
  useEffect(() => {
    let isOver = false
    let made: Comparison | undefined
    const start = async () => {
      const { createRowComparison: create } = await import('../../../../services/workbench/jobs/transfers.ts')
      if (isOver) return
      made = new Comparison({ viewers, query, info, clientOf, wall: () => wallTime(client.now()), create })
      workRecordings(client).add(`Comparison of ${query.table}`, made.attached)
      setComparison(made)
    }
    start().catch(() => setComparison('failed'))
    return () => {
      isOver = true
      made?.stop()
    }
  }, [viewers, query, info, clientOf, client, round])
  const isReady = comparison !== undefined && comparison !== 'failed'
  const { subscribe, snapshot: read } = isReady ? comparison : NOTHING
  const snapshot = useSyncExternalStore<ComparisonSnapshot | undefined>(subscribe, read)
  if (comparison === 'failed') return { kind: 'failed' }
  // Accounts are identified by position, which differs in an earlier comparison.
  if (!isReady || snapshot === undefined || comparison.viewers !== viewers) return { kind: 'loading' }
  return { kind: 'ready', comparison, snapshot }
}
