// Changed places as a list that is a window: lines are as high as what they say.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { count, plural } from '../text.ts'
import { DiffLine } from './diff-line.tsx'
import styles from './diff.module.css'
import type { Difference } from './diff-walk.ts'

/** What a line is taken for until it is measured. */
const LINE = 44

export interface DiffListProps {
  /** Absent while it is worked out. */
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
      {difference?.total === 0 ? <p className={styles.note}>Nothing changed.</p> : null}
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
