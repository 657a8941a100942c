// The access review: what every signed-in account and the anonymous role may read, write and call, as a matrix.
import { Download, RefreshCw, RotateCw, ShieldCheck, Table2, UserPlus } from 'lucide-react'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { useSearch } from '@tanstack/react-router'
import { Button } from '../../widgets/button.tsx'
import { Check } from '../../widgets/check.tsx'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import { Progress } from '../../widgets/progress.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { EmptyState } from '../../widgets/state.tsx'
import { csvOf, markdownOf, READS_ONLY, type Review, snapshotText } from '../../../services/access/index.ts'
import { AccessRun, type AccessRunSnapshot, type Reviewer } from '../../../services/workbench/access/index.ts'
import { accountName, type Accounts, ANONYMOUS } from '../../../services/workbench/accounts/index.ts'
import { useClient } from '../../react/index.ts'
import { useAccounts } from '../accounts/accounts-provider.tsx'
import { useConnected } from '../connected-context.ts'
import { useStarted, useTitle } from '../hooks.ts'
import { Notice, PageBody, PageHead } from '../shell/page.tsx'
import { workRecordings } from '../work-recordings.ts'
import { useWorkspace } from '../workspace.tsx'
import styles from './access.module.css'
import { AccessMatrix } from './access-matrix.tsx'

const reviewersOf = ({ list }: Accounts): readonly Reviewer[] => [
  { id: ANONYMOUS, name: 'anonymous', userId: undefined },
  ...list.map(account => ({ id: account.id, name: accountName(account), userId: account.userId })),
]

const icon = { size: 14, 'aria-hidden': true } as const

function AddAccount() {
  const { add } = useAccounts()
  return (
    <Button size="s" variant="quiet" icon={<UserPlus {...icon} />} onPress={add}>
      Add account
    </Button>
  )
}

function ExportMenu({ review }: { readonly review: Review }) {
  const save = (text: string, type: string, name: string) => saveAs(new Blob([text], { type }), name)
  return (
    <MenuButton text="Export" icon={<Download {...icon} />}>
      <ActionMenu
        label="Export"
        actions={[
          {
            id: 'json',
            title: 'Snapshot (JSON)',
            run: () => save(snapshotText(review), 'application/json', 'access.snapshot.json'),
          },
          { id: 'csv', title: 'CSV', run: () => save(csvOf(review), 'text/csv', 'access.csv') },
          {
            id: 'markdown',
            title: 'Markdown',
            run: () => save(markdownOf(review), 'text/markdown', 'access.md'),
          },
        ]}
      />
    </MenuButton>
  )
}

function Start({ onStart, count }: { readonly onStart: () => void; readonly count: number }) {
  const { embedded } = useWorkspace()
  const isEmbedded = useIsEmbedded()
  return (
    <EmptyState
      icon={<ShieldCheck size={22} aria-hidden />}
      title="Review what each role and account can access"
      action={
        <Button variant="primary" onPress={onStart}>
          Start review
        </Button>
      }
    >
      Reads every table, file list and function as the anonymous role and as{' '}
      {count === 1 ? 'the signed-in account' : `${count} signed-in accounts`}, and tries writes in
      transactions that the backend rolls back.{' '}
      {isEmbedded || embedded === undefined ? null : 'A backend that does not roll back is only read. '}
      Add a second account to check whether one user can read or change another’s rows.
    </EmptyState>
  )
}

const useIsEmbedded = (): boolean => {
  const { active } = useWorkspace()
  return active?.embedded === true
}

const OVER: ReadonlySet<AccessRunSnapshot['phase']> = new Set(['done', 'canceled', 'failed'])

function RunStatus({ snapshot, run }: { readonly snapshot: AccessRunSnapshot; readonly run: AccessRun }) {
  const { phase, done, total, failure, label, review } = snapshot
  const isRunning = !OVER.has(phase)
  return (
    <>
      {isRunning ? (
        <div className={styles.running}>
          <Progress
            label={`Reviewing ${label ?? 'the backend'}`}
            share={total === undefined ? undefined : done / total}
            text={total === undefined ? '' : `${done} of ${total}`}
            tone={phase === 'backingOff' ? 'waiting' : 'going'}
          />
          <Button size="s" onPress={run.cancel}>
            Cancel
          </Button>
        </div>
      ) : null}
      {failure === undefined ? null : (
        <Notice tone="fail">
          {failure.message}{' '}
          {phase === 'failed' ? (
            <Button size="s" icon={<RotateCw {...icon} />} onPress={run.retry}>
              Retry
            </Button>
          ) : null}
        </Notice>
      )}
      {phase === 'canceled' ? <Notice>Canceled: the resources below were reviewed before.</Notice> : null}
      {review && !review.writes && done > 1 ? <Notice>{READS_ONLY}</Notice> : null}
    </>
  )
}

const NOTHING = { subscribe: () => () => undefined, snapshot: () => undefined }

/** One review: starts when it is mounted, and ends with the page. */
function Reviewed({ round, onAgain }: { readonly round: number; readonly onAgain: () => void }) {
  const client = useClient()
  const accounts = useAccounts()
  const { schemaFile: file } = useConnected()
  const schema = useSearch({ strict: false, select: search => search.schema }) || 'public'
  const isEmbedded = useIsEmbedded()
  // Later sign-ins belong to the next review.
  const [{ reviewers, clientOf }] = useState(() => ({
    reviewers: reviewersOf(accounts),
    clientOf: accounts.clientOf,
  }))
  const [onlyBeyond, setOnlyBeyond] = useState(false)
  const start = useCallback(() => {
    const started = new AccessRun({ reviewers, clientOf, source: { client, isEmbedded, schema, file } })
    workRecordings(client).add(`Access review ${round}`, started.job)
    return { started, stop: started.stop }
  }, [client, reviewers, clientOf, isEmbedded, schema, file, round])
  const run = useStarted(start)
  const { subscribe, snapshot: read } = run ?? NOTHING
  const snapshot = useSyncExternalStore<AccessRunSnapshot | undefined>(subscribe, read)
  const review = snapshot?.review
  return (
    <>
      <div className={styles.bar}>
        <Check isOn={onlyBeyond} onChange={setOnlyBeyond}>
          Only access beyond own rows
        </Check>
        <span className={styles.ways}>
          <AddAccount />
          {snapshot && OVER.has(snapshot.phase) ? (
            <Button size="s" icon={<RefreshCw {...icon} />} onPress={onAgain}>
              Review again
            </Button>
          ) : null}
          {review && review.resources.length > 0 ? <ExportMenu review={review} /> : null}
        </span>
      </div>
      {snapshot && run ? <RunStatus snapshot={snapshot} run={run} /> : null}
      {review && snapshot?.catalog && review.resources.length > 0 ? (
        <AccessMatrix review={review} catalog={snapshot.catalog} onlyBeyond={onlyBeyond} />
      ) : null}
      {snapshot?.phase === 'done' && review?.resources.length === 0 ? (
        <EmptyState icon={<Table2 size={22} aria-hidden />} title="Nothing to review">
          The backend lists no tables, buckets or functions.
        </EmptyState>
      ) : null}
    </>
  )
}

/** The page. */
export function AccessPage() {
  useTitle('Access review')
  const { list } = useAccounts()
  const [round, setRound] = useState(0)
  const again = () => setRound(round + 1)
  return (
    <>
      <PageHead title="Access review" note="What each account may read, write and call">
        {round === 0 ? <AddAccount /> : null}
      </PageHead>
      <PageBody>
        <div className={styles.page}>
          {round === 0 ? (
            <Start onStart={again} count={list.length} />
          ) : (
            <Reviewed key={round} round={round} onAgain={again} />
          )}
        </div>
      </PageBody>
    </>
  )
}
