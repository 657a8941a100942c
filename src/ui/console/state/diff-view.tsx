// What the selected record changed, as lines taken away and lines added.
import type { ViewRecord } from '../../../trace/format.ts'
import { DiffList } from './diff-list.tsx'
import styles from './diff.module.css'
import { useDifference } from './use-changes.ts'

export interface DiffViewProps {
  readonly record: ViewRecord
  readonly before: ViewRecord | undefined
  readonly onWhen: (pointer: string) => void
}

/** Compares with the snapshot before of the same actor. */
export function DiffView({ record, before, onWhen }: DiffViewProps) {
  const difference = useDifference(before, record)
  return (
    <div className={styles.column}>
      <div className={styles.head}>
        <span className={styles.what}>
          #{record.seq} {record.event.type} · {before ? `against #${before.seq}` : 'first snapshot'}
        </span>
      </div>
      <DiffList difference={difference} onWhen={onWhen} />
    </div>
  )
}
