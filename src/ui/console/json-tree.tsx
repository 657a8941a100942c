// A value as a tree that opens bit by bit and never shows more than is asked for.
import { useState } from 'react'
import { cx } from '../widgets/cx.ts'
import { describe, ENTRIES_SHOWN, entriesOf } from './json-nodes.ts'
import styles from './inspector.module.css'
import { count } from './text.ts'

export interface JsonTreeProps {
  readonly value: unknown
  readonly label: string
}

/** The entries of a value; nested ones are closed from the second level on. */
export function JsonTree({ value, label }: JsonTreeProps) {
  const node = describe(value)
  if (node.size === 0) return <p className={cx(styles.value, styles[node.kind])}>{node.preview}</p>
  return (
    <div role="group" aria-label={label} className={styles.json}>
      <Entries value={value} size={node.size} depth={0} />
    </div>
  )
}

interface EntriesProps {
  readonly value: unknown
  readonly size: number
  readonly depth: number
}

function Entries({ value, size, depth }: EntriesProps) {
  const [limit, setLimit] = useState(ENTRIES_SHOWN)
  const more = Math.min(ENTRIES_SHOWN, size - limit)
  return (
    <ul className={styles.entries}>
      {entriesOf(value, limit).map(([key, item]) => (
        <Entry key={key} name={key} value={item} depth={depth} />
      ))}
      {more > 0 ? (
        <li>
          <button type="button" className={styles.more} onClick={() => setLimit(limit + ENTRIES_SHOWN)}>
            {count(more)} more of {count(size - limit)} left
          </button>
        </li>
      ) : null}
    </ul>
  )
}

interface EntryProps {
  readonly name: string
  readonly value: unknown
  readonly depth: number
}

function Entry({ name, value, depth }: EntryProps) {
  const node = describe(value)
  const [open, setOpen] = useState(depth < 1 && node.size <= 12)
  if (node.size === 0) {
    return (
      <li className={styles.entry}>
        <span className={styles.key}>{name}</span>
        <span className={cx(styles.value, styles[node.kind])}>{node.preview}</span>
      </li>
    )
  }
  return (
    <li>
      <button type="button" className={styles.opener} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span aria-hidden className={styles.caret}>
          {open ? '▾' : '▸'}
        </span>
        <span className={styles.key}>{name}</span>
        <span className={styles.preview}>{node.preview}</span>
      </button>
      {open ? <Entries value={value} size={node.size} depth={depth + 1} /> : null}
    </li>
  )
}
