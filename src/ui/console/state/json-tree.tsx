// A small value as an expandable list, where there is no space for a full tree.
import { useState } from 'react'
import { cx } from '../../widgets/cx.ts'
import { count } from '../text.ts'
import styles from './json-tree.module.css'
import { describe, inRow, membersOf } from './json-nodes.ts'
import { Timed } from './timed.tsx'

/** Members shown initially, and added with each click. */
const SHOWN = 100

export interface JsonTreeProps {
  readonly value: unknown
  readonly label: string
}

/** Lists the members of a value; nested ones are collapsed from the second level on. */
export function JsonTree({ value, label }: JsonTreeProps) {
  const node = describe(value)
  if (node.size === 0) return <p className={cx(styles.value, styles[node.kind])}>{node.preview}</p>
  return (
    <div role="group" aria-label={label} className={styles.json}>
      <Entries value={value} depth={0} />
    </div>
  )
}

function Entries({ value, depth }: { readonly value: unknown; readonly depth: number }) {
  const [limit, setLimit] = useState(SHOWN)
  const { keys, get } = membersOf(value)
  const more = Math.min(SHOWN, keys.length - limit)
  return (
    <ul className={styles.entries}>
      {keys.slice(0, limit).map(key => (
        <Entry key={key} name={key} value={get(key)} depth={depth} />
      ))}
      {more > 0 ? (
        <li>
          <button type="button" className={styles.more} onClick={() => setLimit(limit + SHOWN)}>
            {count(more)} more of {count(keys.length - limit)} left
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
        <span
          className={cx(styles.value, styles[node.kind])}
          title={node.kind === 'number' ? node.preview : undefined}
        >
          <Timed name={name} value={value}>
            {inRow(node)}
          </Timed>
        </span>
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
      {open ? <Entries value={value} depth={depth + 1} /> : null}
    </li>
  )
}
