// A virtualized list of changes with lines of different heights.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { count, plural } from '../text.ts'
import { DiffLine } from './diff-line.tsx'
import styles from './diff.module.css'
import type { Difference } from './diff-walk.ts'

/** Estimated height of a line before it is measured. */
const LINE = 44

export interface DiffListProps {
  /** Undefined while it is computed. */
  readonly difference: Difference | undefined
  readonly onWhen?: (pointer: string) => void
}

export function DiffList({ difference, onWhen }: DiffListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const changes = difference?.changes ?? []
  const view = useVirtualizer({
    count: changes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 4,
  })
  const left = (difference?.total ?? 0) - changes.length
  return (
    <div ref={scroller} className={styles.rows}>
      {difference ? null : <p className={styles.note}>Comparing…</p>}
      {difference?.total === 0 ? <p className={styles.note}>No changes.</p> : null}
      <ul className={styles.list} aria-label="Changes" style={{ height: view.getTotalSize() }}>
        {view.getVirtualItems().map(({ index, start, key }) => {
          const change = changes[index]
          return change ? (
            <li
              key={key}
              ref={view.measureElement}
              data-index={index}
              className={styles.item}
              style={{ top: start }}
            >
              <DiffLine change={change} onWhen={onWhen} />
            </li>
          ) : null
        })}
      </ul>
      {left > 0 ? (
        <p className={styles.note}>
          {plural(left, 'more change')} than the {count(changes.length)} listed
        </p>
      ) : null}
    </div>
  )
}
