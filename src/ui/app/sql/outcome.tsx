// The outcome of a script: its state while it runs, then one tab per statement with rows, plan, notices or the error.
import { SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { Tabs } from '../../widgets/tabs.tsx'
import {
  hasRows,
  isRunning,
  parsePlan,
  type SqlMessage,
  type SqlRun,
  type SqlStatement,
  type SqlStore,
} from '../../../services/workbench/sql/index.ts'
import { formatCount, formatMs, formatSpan, plural } from '../../../services/workbench/text/index.ts'
import { useNow } from '../hooks.ts'
import { Notice } from '../shell/page.tsx'
import { PlanView } from './plan-view.tsx'
import { ResultRows, RowTools } from './result-rows.tsx'
import type { Marked } from './sql-editor.tsx'
import styles from './sql.module.css'

export interface OutcomeProps {
  readonly store: SqlStore
  readonly run: SqlRun | undefined
  /** Shows a place of the script in the editor. */
  readonly onShow: (place: Marked) => void
}

export function Outcome({ store, run, onShow }: OutcomeProps) {
  if (!run)
    return (
      <EmptyState icon={<SquareTerminal size={22} aria-hidden />} title="No results yet">
        Write a script and run it. With a selection, only that runs. An example is a good start.
      </EmptyState>
    )
  if (isRunning(run)) return <Running store={store} run={run} />
  return <Ended store={store} run={run} onShow={onShow} />
}

function Running({ store, run }: { readonly store: SqlStore; readonly run: SqlRun }) {
  const now = useNow()
  const client = useClient()
  const { phase, isCanceled, failure } = run.state
  const elapsed = formatSpan(Math.max(0, Math.max(now, client.now()) - run.startedAt))
  const limit = formatSpan(run.options.limitMs)
  return (
    <div className={styles.running} role="status">
      <Spinner />
      {phase === 'running' ? (
        <span>
          Running for {elapsed}. The time limit is {limit}.
        </span>
      ) : (
        <span>
          {isCanceled ? 'Canceling…' : 'The connection was lost, which cancels the script.'}{' '}
          {phase === 'backingOff' ? `${failure?.message ?? ''} Asking again.` : 'Waiting for PostgreSQL.'}
        </span>
      )}
      {phase === 'backingOff' ? (
        <Button size="s" onPress={store.retry}>
          Ask now
        </Button>
      ) : null}
      {phase === 'running' ? null : (
        <Button size="s" variant="quiet" onPress={store.giveUp}>
          Stop waiting
        </Button>
      )}
    </div>
  )
}

/** The outcome of the script as a whole, unless its statements show it. */
function verdictOf({
  state,
  report,
  options,
}: SqlRun): { readonly tone: 'fail' | 'info'; readonly text: string } | undefined {
  const { phase, end, failure } = state
  if (phase === 'refused') return { tone: 'fail', text: `The script did not run. ${failure?.message ?? ''}` }
  if (phase === 'lost')
    return {
      tone: 'fail',
      text: `The outcome of the script is not known. ${failure?.message ?? 'Waiting was stopped.'} Check what is stored before you run it again.`,
    }
  const limit = formatSpan(options.limitMs)
  switch (end) {
    case 'timedOut':
      return { tone: 'fail', text: `Canceled after the time limit of ${limit}. ${KEPT}` }
    case 'canceled':
      return { tone: 'info', text: `Canceled. ${KEPT}` }
    case 'tooLarge':
      return {
        tone: 'fail',
        text: `Canceled, as the result takes more than 64 MB. Select fewer rows or columns. ${KEPT}`,
      }
    case 'done':
      if (state.isCanceled) return { tone: 'info', text: 'The script had ended before it could be canceled.' }
      return report?.leftOpen === true ? { tone: 'info', text: LEFT_OPEN } : undefined
    case 'failed':
      return report?.leftOpen === true ? { tone: 'info', text: LEFT_OPEN } : undefined
    case undefined:
      return undefined
  }
}

const KEPT =
  'The statement that ran was rolled back; those before it are kept unless they are in its transaction.'
const LEFT_OPEN = 'The script left its transaction open: it was rolled back.'

const titleOf = (statement: SqlStatement, at: number): string => {
  const { error, columns, rows, hasMore, tag } = statement
  if (error) return `${at + 1} · error`
  if (columns && !tag?.startsWith('EXPLAIN'))
    return `${at + 1} · ${formatCount(rows.length)}${hasMore ? '+' : ''} rows`
  return `${at + 1} · ${tag ?? 'no rows'}`
}

interface EndedProps extends OutcomeProps {
  readonly run: SqlRun
}

function Ended({ store, run, onShow }: EndedProps) {
  const { report } = run
  const statements = report?.statements ?? []
  const verdict = verdictOf(run)
  const first = statements.findIndex(({ error }) => error)
  const last = statements.findLastIndex(hasRows)
  const [chosen, choose] = useState<{ readonly run: string; readonly id: string }>()
  const id = chosen?.run === run.id ? chosen.id : String(first >= 0 ? first : Math.max(0, last))
  return (
    <section className={styles.outcome} aria-label="Results">
      {verdict === undefined ? null : <Notice tone={verdict.tone}>{verdict.text}</Notice>}
      {run.state.phase === 'ended' && statements.length === 0 && verdict === undefined ? (
        <p className={styles.faint}>The script has no statements.</p>
      ) : null}
      {statements.length === 0 ? null : (
        <Tabs
          key={run.id}
          label="Results"
          selected={id}
          onSelect={next => choose({ run: run.id, id: next })}
          aside={<Totals run={run} />}
          items={statements.map((statement, at) => ({
            id: String(at),
            title: titleOf(statement, at),
            content: <Result store={store} statement={statement} number={at + 1} run={run} onShow={onShow} />,
          }))}
        />
      )}
    </section>
  )
}

function Totals({ run: { report } }: { readonly run: SqlRun }) {
  if (!report) return null
  const { ms, skipped, isRolledBack, statements } = report
  return (
    <span className={styles.totals}>
      {isRolledBack ? <Chip tone="pending">rolled back</Chip> : null}
      {plural(statements.length, 'statement')}
      {skipped > 0 ? `, ${formatCount(skipped)} not run` : ''}
      {ms === undefined ? '' : ` in ${formatMs(ms)}`}
    </span>
  )
}

interface ResultProps extends EndedProps {
  readonly statement: SqlStatement
  readonly number: number
}

function Result({ store, statement, number, run, onShow }: ResultProps) {
  const { from, to, error, notices, noticeCount, tag, ms } = statement
  const [row, setRow] = useState<number>()
  const show = () => onShow({ from: run.offset + from, to: run.offset + to })
  const plan =
    hasRows(statement) && tag?.startsWith('EXPLAIN') === true
      ? parsePlan(statement.rows[0]?.[0] ?? '')
      : undefined
  const rows = hasRows(statement) && !plan && !(error && statement.rows.length === 0) ? statement : undefined
  const edits = rows && store.editsOf(run, rows)
  return (
    <div className={styles.result}>
      <div className={styles.resultHead}>
        <Button size="s" variant="quiet" onPress={show}>
          {`Statement ${number}`}
        </Button>
        {tag === undefined ? null : <Chip>{tag}</Chip>}
        <span className={styles.faint}>{formatMs(ms)}</span>
        {rows && edits ? <RowTools statement={rows} edits={edits} row={row} number={number} /> : null}
      </div>
      {error ? <ErrorText error={error} onShow={onShow} run={run} /> : null}
      {notices.length === 0 ? null : <Notices notices={notices} count={noticeCount} />}
      {plan ? <PlanView plan={plan} /> : null}
      {rows && edits ? <ResultRows statement={rows} edits={edits} number={number} onRow={setRow} /> : null}
    </div>
  )
}

interface ErrorTextProps {
  readonly error: SqlMessage
  readonly run: SqlRun
  readonly onShow: (place: Marked) => void
}

/** PostgreSQL’s own words. */
function ErrorText({ error, run, onShow }: ErrorTextProps) {
  const { severity, code, message, detail, hint, where, position } = error
  return (
    <div className={styles.error} role="alert">
      <p className={styles.errorHead}>
        <strong>
          {severity}: {message}
        </strong>{' '}
        <code>{code}</code>{' '}
        {position === undefined ? null : (
          <Button
            size="s"
            variant="quiet"
            onPress={() => onShow({ from: run.offset + position, to: run.offset + position })}
          >
            {placeOf(run.sql, position)}
          </Button>
        )}
      </p>
      {detail === undefined ? null : <p>Detail: {detail}</p>}
      {hint === undefined ? null : <p>Hint: {hint}</p>}
      {where === undefined ? null : <pre className={styles.where}>{where}</pre>}
    </div>
  )
}

function placeOf(sql: string, position: number): string {
  const before = sql.slice(0, position).split('\n')
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function Notices({ notices, count }: { readonly notices: readonly SqlMessage[]; readonly count: number }) {
  return (
    <ul className={styles.notices} aria-label="Notices">
      {notices.map(({ severity, message, detail, hint }, at) => (
        <li key={at}>
          <strong>{severity}</strong> {message}
          {detail === undefined ? null : <span className={styles.faint}> {detail}</span>}
          {hint === undefined ? null : <span className={styles.faint}> {hint}</span>}
        </li>
      ))}
      {count > notices.length ? <li>{plural(count - notices.length, 'more notice')}.</li> : null}
    </ul>
  )
}
