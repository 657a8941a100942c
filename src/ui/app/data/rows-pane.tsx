// The rows, or what stands in their place: loading, failed, none.
import { Rows3 } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { Notice } from '../shell/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { DataGrid, type DataGridProps } from './data-grid.tsx'
import styles from './data.module.css'
import type { RowsState } from './rows.ts'

export interface RowsPaneProps extends Omit<DataGridProps, 'rows' | 'live' | 'isLoading'> {
  readonly state: RowsState
  readonly onRetry: () => void
  readonly onNew: () => void
  readonly onFirstPage: () => void
  /** Leaves order and page of the address behind. */
  readonly onStartOver: () => void
}

function StaleNotice({ state, onRetry }: Pick<RowsPaneProps, 'state' | 'onRetry'>) {
  return (
    <div className={styles.stale}>
      <Notice tone="fail">
        These are the rows from before. {state.failure?.message}
        <Button size="s" isPending={state.isLoading} onPress={onRetry}>
          Try again
        </Button>
      </Notice>
    </div>
  )
}

/** A failure after rows were shown keeps them on screen. */
export function RowsPane({ state, onRetry, onNew, onFirstPage, onStartOver, ...grid }: RowsPaneProps) {
  if (state.phase === 'loading') return <Skeleton rows={10} label="Loading rows" />
  if (state.rows.length > 0)
    return (
      <>
        {state.phase === 'failed' ? <StaleNotice state={state} onRetry={onRetry} /> : null}
        <DataGrid {...grid} rows={state.rows} live={state.live} isLoading={state.isLoading} />
      </>
    )
  if (state.phase === 'failed')
    return (
      <ErrorState
        title="The rows could not be loaded"
        action={
          <span className={styles.actions}>
            <Button isPending={state.isLoading} onPress={onRetry}>
              Try again
            </Button>
            {state.failure?.retry === true ? null : <Button onPress={onStartOver}>Start over</Button>}
          </span>
        }
      >
        {state.failure?.message} {state.failure?.retry === true ? 'Chartroom tries again by itself.' : ''}
      </ErrorState>
    )
  if (state.count !== null && state.count > 0)
    return (
      <EmptyState title="Nothing on this page" action={<Button onPress={onFirstPage}>First page</Button>}>
        There are fewer rows than there were.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<Rows3 size={22} aria-hidden />}
      title="No rows that you may see"
      action={<Button onPress={onNew}>Add the first row</Button>}
    >
      The table is empty, or its row policies show you nothing. Rows appear here as soon as there are some.
    </EmptyState>
  )
}
