// “Seen by…”: compares all rows of the current query by key, between the anonymous role and every account.
import { useNavigate } from '@tanstack/react-router'
import { RefreshCw, RotateCw, ShieldCheck, UserPlus } from 'lucide-react'
import { useMemo, useState, useCallback, useSyncExternalStore } from 'react'
import { ToggleButton } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { BareProgress } from '../../../widgets/progress.tsx'
import { Spinner } from '../../../widgets/spinner.tsx'
import {
  accountName,
  type Accounts,
  ANONYMOUS,
  type AccountClient,
} from '../../../../services/workbench/accounts/index.ts'
import { useAccounts } from '../../accounts/accounts-provider.tsx'
import {
  Comparison,
  type ComparisonSnapshot,
  formatDetails,
  formatSummary,
  formatTimes,
  isEnded,
  isInTableOrder,
  type TableInfo,
  type TableQuery,
  type TableToolsProps,
  type Viewer,
} from '../../../../services/workbench/table/index.ts'
import { Notice } from '../../shell/page.tsx'
import styles from './seen-by.module.css'
import { ViewPanes } from './view-panes.tsx'
import { useClient } from '../../../react/index.ts'
import { wallTime } from '../../../../services/workbench/text/index.ts'
import { useStarted } from '../../hooks.ts'
import { workRecordings } from '../../work-recordings.ts'

const viewersOf = ({ list, active }: Accounts): readonly Viewer[] => [
  { id: ANONYMOUS, name: 'Anonymous', userId: undefined },
  ...list.map(account => ({
    id: account.id,
    name: account.id === active?.id ? `${accountName(account)} (you)` : accountName(account),
    userId: account.userId,
  })),
]

const NO_KEY =
  'No primary key: whole rows are compared, and rows with different values count as different rows. Differences can’t be checked again, and rows that other users write during the comparison may be missing or appear twice.'
const GUESSED_KEY = 'The backend does not describe this table: the column “id” is used as its key.'
const COUNTED =
  'Pages were read by offset: rows that other users write during the comparison may be missing or appear twice.'
const OTHER_ORDER = 'Sorted in this browser: the order can differ slightly from the table’s.'

const notesOf = (query: TableQuery, info: TableInfo, hasCounted: boolean): readonly string[] => {
  const hasKey = info.columns.some(({ isKey }) => isKey)
  return [
    ...(hasKey ? [] : [NO_KEY]),
    ...(hasKey && !info.isKnown ? [GUESSED_KEY] : []),
    ...(hasKey && hasCounted ? [COUNTED] : []),
    ...(isInTableOrder(query, info) ? [] : [OTHER_ORDER]),
  ]
}

interface ReportProps {
  readonly comparison: Comparison
  readonly snapshot: ComparisonSnapshot
  readonly viewers: readonly Viewer[]
  readonly shown: readonly number[]
  readonly onlyDifferences: boolean
  readonly query: TableQuery
  readonly info: TableInfo
  readonly onLeave: () => void
}

/** The results so far. */
function Report(props: ReportProps) {
  const { comparison, snapshot, viewers, shown, onlyDifferences, query, info, onLeave } = props
  const { rows, summary } = useMemo(
    () => comparison.index.view({ shownAccounts: shown, isRead: snapshot.isRead, onlyDifferences }),
    [comparison, snapshot, shown, onlyDifferences],
  )
  const isRunning = !isEnded(snapshot.phase)
  const details = formatDetails(summary)
  const { checked, unchecked, phase } = snapshot
  const isChecking = phase === 'rechecking' || phase === 'recheckBackingOff'
  return (
    <>
      <div className={styles.summary}>
        <output aria-live={isRunning ? 'off' : 'polite'}>
          <strong className={styles.headline}>{formatSummary(summary, snapshot, shown)}</strong>
          {shown.length > 1 && details !== '' ? <span>{details}</span> : null}
        </output>
        <span>{formatTimes(snapshot)}</span>
      </div>
      {isChecking ? (
        <BareProgress
          label="Differences checked again"
          share={unchecked === undefined ? undefined : checked / Math.max(1, checked + unchecked)}
        />
      ) : null}
      {snapshot.failure === undefined ? null : <Notice tone="fail">{snapshot.failure.message}</Notice>}
      {notesOf(query, info, snapshot.hasCounted).map(note => (
        <Notice key={note}>{note}</Notice>
      ))}
      <ViewPanes
        key={shown.join()}
        comparison={comparison}
        snapshot={snapshot}
        viewers={viewers}
        shown={shown}
        rows={rows}
        columns={query.columns.length > 0 ? query.columns : info.columns.map(({ name }) => name)}
        info={info}
        onLeave={onLeave}
      />
    </>
  )
}

export interface SeenByDialogProps extends Pick<TableToolsProps, 'query' | 'info'> {
  readonly onClose: () => void
}

export function SeenByDialog(props: SeenByDialogProps) {
  const { onClose } = props
  // The table may scroll or reload below: a comparison keeps its initial query.
  const [{ query, info }] = useState(props)
  const navigate = useNavigate()
  const accounts = useAccounts()
  const viewers = useMemo(() => viewersOf(accounts), [accounts])
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [onlyDifferences, setOnlyDifferences] = useState(false)
  const [round, setRound] = useState(0)
  const shown = useMemo(
    () => viewers.flatMap(({ id }, account) => (left.has(id) ? [] : [account])),
    [viewers, left],
  )
  const view = useComparison({ viewers, query, info, clientOf: accounts.clientOf, round })
  const toggle = (id: string) =>
    setLeft(before =>
      before.has(id) ? new Set([...before].filter(each => each !== id)) : new Set([...before, id]),
    )
  const phase = view.kind === 'ready' ? view.snapshot.phase : undefined
  const mayRetry = phase === 'partial' || phase === 'unconfirmed' || phase === 'backingOff'
  return (
    <Dialog title={`${query.table}, seen by…`} isOpen onClose={onClose} huge>
      <div className={styles.bar}>
        <div className={styles.viewers} role="group" aria-label="Seen by">
          {viewers.map(({ id, name }) => (
            <ToggleButton
              key={id}
              className={cx(styles.toggle)}
              isSelected={!left.has(id)}
              onChange={() => toggle(id)}
            >
              {name}
            </ToggleButton>
          ))}
          <Button size="s" variant="quiet" icon={<UserPlus size={14} aria-hidden />} onPress={accounts.add}>
            Add account
          </Button>
        </div>
        <ToggleButton
          className={cx(styles.toggle)}
          isSelected={onlyDifferences}
          onChange={setOnlyDifferences}
        >
          Only differences
        </ToggleButton>
      </div>
      {view.kind === 'ready' ? (
        <Report
          {...view}
          viewers={viewers}
          shown={shown}
          onlyDifferences={onlyDifferences}
          query={query}
          info={info}
          onLeave={onClose}
        />
      ) : (
        <Spinner />
      )}
      <DialogActions>
        <Button
          variant="quiet"
          icon={<ShieldCheck size={14} aria-hidden />}
          onPress={() => void navigate({ to: '/access' })}
        >
          Review all access
        </Button>
        {view.kind === 'ready' && mayRetry ? (
          <Button icon={<RotateCw size={14} aria-hidden />} onPress={view.comparison.retry}>
            Retry
          </Button>
        ) : null}
        {view.kind === 'ready' && !isEnded(view.snapshot.phase) ? (
          <Button onPress={view.comparison.cancel}>Cancel</Button>
        ) : (
          <Button icon={<RefreshCw size={14} aria-hidden />} onPress={() => setRound(round + 1)}>
            Refresh
          </Button>
        )}
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface ComparisonInput {
  readonly viewers: readonly Viewer[]
  readonly query: TableQuery
  readonly info: TableInfo
  readonly clientOf: (id: string) => AccountClient
  /** A new number starts a new comparison. */
  readonly round: number
}

type ComparisonView =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly comparison: Comparison; readonly snapshot: ComparisonSnapshot }

const NOTHING = { subscribe: () => () => undefined, snapshot: () => undefined }

/** Comparison state: starts with the dialog, restarts on refresh, and ends with the dialog. */
function useComparison({ viewers, query, info, clientOf, round }: ComparisonInput): ComparisonView {
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
