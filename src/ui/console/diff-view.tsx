// What the selected record changed, as lines taken away and lines added.
import { useMemo } from 'react'
import type { ViewRecord } from '../../trace/format.ts'
import { cx } from '../widgets/cx.ts'
import styles from './inspector.module.css'
import { describe, quoted } from './json-nodes.ts'
import { recordDiff, type DiffLine } from './record-diff.ts'

export interface DiffViewProps {
  readonly record: ViewRecord
  readonly before: ViewRecord | undefined
}

/** Compares with the snapshot before of the same actor. */
export function DiffView({ record, before }: DiffViewProps) {
  const { lines, truncated } = useMemo(() => recordDiff(before, record), [before, record])
  return (
    <div className={styles.pane}>
      <p className={styles.faint}>
        #{record.seq} {record.event.type} · {before ? `against #${before.seq}` : 'first snapshot'}
      </p>
      {lines.length === 0 ? <p className={styles.faint}>Nothing changed.</p> : null}
      <ul className={styles.diff} aria-label="Changes">
        {lines.map(line => (
          <Line key={`${line.type} ${line.path}`} line={line} />
        ))}
      </ul>
      {truncated ? <p className={styles.faint}>There are more changes than are listed.</p> : null}
    </div>
  )
}

function Line({ line }: { readonly line: DiffLine }) {
  return (
    <li>
      {line.type === 'added' ? null : <Side mark="−" path={line.path} value={line.before} />}
      {line.type === 'removed' ? null : <Side mark="+" path={line.path} value={line.after} />}
    </li>
  )
}

function Side({
  mark,
  path,
  value,
}: {
  readonly mark: '+' | '−'
  readonly path: string
  readonly value: unknown
}) {
  const text = typeof value === 'string' ? quoted(value, 120) : describe(value).preview
  return (
    <div className={cx(styles.side, mark === '+' ? styles.added : styles.removed)}>
      <span aria-label={mark === '+' ? 'now' : 'before'}>{mark}</span>
      <span className={styles.path}>{path}</span>
      <span className={styles.text}>{text}</span>
    </div>
  )
}
