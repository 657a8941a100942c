// The list of failures, each with its evidence and cause chain, linked to the events.
import { ChevronRight, ShieldCheck } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { AssertionFailure, AssertionResult, RecordSummary } from '../../../trace/index.ts'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { clockTime, count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import styles from './checks.module.css'

export interface FailureListProps {
  readonly results: readonly AssertionResult[]
  /** Whether the results of all checks are shown. */
  readonly isAll: boolean
}

/** Rows shown initially and added per click. */
const ROWS = 60

export function FailureList({ results, isAll }: FailureListProps) {
  const [rows, setRows] = useState(ROWS)
  const [open, setOpen] = useState<string>()
  const failures = results.flatMap(one => one.failures).sort((a, b) => a.seq - b.seq)
  const waiting = results.flatMap(one => one.waiting)
  const hiddenCount = results.reduce((sum, one) => sum + one.failed - one.failures.length, 0)
  if (failures.length + waiting.length === 0) {
    return (
      <EmptyState
        icon={<ShieldCheck size={20} aria-hidden />}
        title={isAll ? 'No failures' : 'This check has no failures'}
      >
        Failures appear here as they occur, with the events that caused them. They are red in the log, the
        timeline and the overview.
      </EmptyState>
    )
  }
  const shown = [
    ...failures.map(one => [one, 'broken'] as const),
    ...waiting.map(one => [one, 'waits'] as const),
  ]
  return (
    <section className={styles.failures} aria-label="Failures">
      <ul className={styles.list}>
        {shown.slice(0, rows).map(([failure, kind], at) => {
          const key = `${failure.assertion} ${failure.seq} ${failure.actor} ${kind} ${at}`
          return (
            <Item
              key={key}
              failure={failure}
              isWaiting={kind === 'waits'}
              isOpen={open === key || shown.length === 1}
              onToggle={() => setOpen(open === key ? undefined : key)}
            />
          )
        })}
      </ul>
      {shown.length > rows ? (
        <Button size="s" variant="quiet" onPress={() => setRows(rows + ROWS)}>
          {`Show more (${count(shown.length - rows)} hidden)`}
        </Button>
      ) : null}
      {hiddenCount > 0 ? (
        <p className={styles.faint}>{count(hiddenCount)} more failures are only counted.</p>
      ) : null}
    </section>
  )
}

interface ItemProps {
  readonly failure: AssertionFailure
  readonly isWaiting: boolean
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Item({ failure, isWaiting, isOpen, onToggle }: ItemProps) {
  const { assertion, seq, t, actor, why } = failure
  return (
    <li className={styles.item} data-waits={isWaiting || undefined}>
      <AriaButton className={styles.summary ?? ''} onPress={onToggle} aria-expanded={isOpen}>
        <ChevronRight size={12} aria-hidden className={styles.chevron} />
        <span className={styles.seq}>#{seq}</span>
        <span className={styles.time}>{clockTime(t)}</span>
        <span className={styles.why}>
          {why} <span className={styles.faint}>{isWaiting ? `${assertion}, pending` : assertion}</span>
        </span>
      </AriaButton>
      {isOpen ? <Details failure={failure} actor={actor} /> : null}
    </li>
  )
}

function Details({ failure, actor }: { readonly failure: AssertionFailure; readonly actor: string }) {
  const { go, pick } = useConsole()
  const { seq, key, records, missing, deadline, chain } = failure
  const why = () => {
    pick(seq)
    go({ type: 'layout', layout: { inspector: 'cause' } })
  }
  return (
    <div className={styles.details}>
      <p className={styles.faint}>
        {actor}
        {key === undefined || key === actor ? '' : ` · ${key}`}
      </p>
      <Records title="Evidence">
        {records.map(({ part, record }) => (
          <Record key={`${part} ${record.seq}`} part={part} record={record} />
        ))}
        {missing === undefined ? null : (
          <li className={styles.record}>
            <span className={styles.part}>missing</span>
            <span className={styles.missing}>
              {missing}
              {deadline === undefined ? '' : ` (${deadline})`}
            </span>
          </li>
        )}
      </Records>
      {chain.length < 2 ? null : (
        <Records title="Cause chain">
          {chain.map(record => (
            <Record key={record.seq} record={record} />
          ))}
        </Records>
      )}
      <span className={styles.tools}>
        <Button size="s" onPress={() => pick(seq)}>
          Go to event
        </Button>
        <Button size="s" onPress={why}>
          Show cause
        </Button>
      </span>
    </div>
  )
}

function Records({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <h2 className={styles.label}>{title}</h2>
      <ul className={styles.list} aria-label={title}>
        {children}
      </ul>
    </>
  )
}

function Record({ part, record }: { readonly part?: string; readonly record: RecordSummary }) {
  const { pick, timeline } = useConsole()
  const { seq, t, actor, event } = record
  const state = (seq < timeline.size && timeline.state(seq).label) || record.state
  return (
    <li>
      <AriaButton className={styles.record ?? ''} onPress={() => pick(seq)}>
        {part === undefined ? null : <span className={styles.part}>{part}</span>}
        <span className={styles.seq}>#{seq}</span>
        <span className={styles.time}>{clockTime(t)}</span>
        <span className={styles.what}>
          {actor} handled {event} → {state}
        </span>
      </AriaButton>
    </li>
  )
}
