// The text filter over the log and how much it hides.
import { X } from 'lucide-react'
import type { RefObject } from 'react'
import type { RowFilter } from '../model/row-filter.ts'
import { count, plural } from '../text.ts'
import styles from '../toolbar.module.css'

export interface FilterFieldProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly filter: RowFilter
  readonly size: number
}

/** Words that must all occur in actor, event or state; `-word` must not. Escape clears. */
export function FilterField({ inputRef, query, onQuery, filter, size }: FilterFieldProps) {
  return (
    <div className={styles.filter}>
      <span aria-hidden className={styles.slash}>
        /
      </span>
      <input
        ref={inputRef}
        className={styles.input}
        aria-label="Filter the log"
        placeholder="actor, event, state"
        title="Every word must occur in actor, event or state; -word must not; noop stands for events without effect"
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={event => onQuery(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          if (query === '') event.currentTarget.blur()
          else onQuery('')
          event.stopPropagation()
        }}
      />
      {query === '' ? null : (
        <button
          type="button"
          className={styles.clear}
          aria-label="Clear the filter"
          onClick={() => onQuery('')}
        >
          <X size={13} aria-hidden />
        </button>
      )}
      <span className={styles.count} role="status">
        {countText(filter, size)}
      </span>
    </div>
  )
}

function countText(filter: RowFilter, size: number): string {
  if (!filter.filtering) return plural(size, 'event')
  if (filter.scanned < size)
    return `${count(filter.length)} so far · ${Math.floor((filter.scanned / size) * 100)} %`
  return `${count(filter.length)} of ${count(size)} · ${count(size - filter.length)} hidden`
}
