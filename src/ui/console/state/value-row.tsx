// One row of a tree of values: name, value or summary, and change.
import { ChevronRight, Lock } from 'lucide-react'
import { cx } from '../../widgets/cx.ts'
import { count } from '../text.ts'
import { inRow, TEXT_SHOWN } from './json-nodes.ts'
import { excerpt, stretches } from './search.ts'
import { Timed } from './timed.tsx'
import type { ChangeMark, TreeRow } from './tree-row.ts'
import parts from '../canvas/parts.module.css'
import styles from './tree.module.css'

const SIGN: Readonly<Record<ChangeMark, string>> = { added: '+', changed: '±', removed: '−' }
/** Deeper lines are not indented further for lack of space. */
const DEEPEST_INDENT = 14

export interface ValueRowProps {
  readonly id: string
  readonly row: TreeRow
  readonly top: number
  readonly isCurrent: boolean
  /** The search text; empty for no search. */
  readonly wanted: string
}

export function ValueRow({ id, row, top, isCurrent, wanted }: ValueRowProps) {
  const { name, level, node, isOpen, change, inside } = row
  const text = shownText(row, wanted, isCurrent)
  return (
    <div
      id={id}
      role="treeitem"
      data-pointer={row.pointer}
      aria-level={level}
      aria-posinset={row.place}
      aria-setsize={row.of}
      aria-expanded={isOpen}
      aria-selected={isCurrent}
      className={cx(styles.row, change && styles[change], isCurrent && styles.current)}
      style={{
        top,
        paddingLeft: 16 + Math.min(level - 1, DEEPEST_INDENT) * 12,
      }}
    >
      <span aria-hidden className={styles.sign}>
        {change ? SIGN[change] : inside > 0 ? '·' : ''}
      </span>
      <span aria-hidden className={styles.caret}>
        {isOpen === undefined ? null : <ChevronRight size={12} className={cx(isOpen && styles.opened)} />}
      </span>
      <span className={cx(styles.name, level === 1 && styles.part)}>
        <Highlighted text={name} wanted={level === 1 ? '' : wanted} />
      </span>
      <span className={cx(styles.value, styles[node.kind])}>
        {node.kind === 'secret' ? <Lock size={10} aria-hidden className={styles.lock} /> : null}
        {isOpen === true && node.kind === 'record' ? null : (
          <Timed name={name} value={row.value}>
            <Highlighted text={text} wanted={wanted} />
          </Timed>
        )}
      </span>
      {inside > 0 && isOpen !== true ? (
        <span className={styles.inside} title={`${count(inside)} changed within`}>
          {count(inside)}
        </span>
      ) : null}
      <span className={parts.unseen}>{describeRow(row)}</span>
    </div>
  )
}

/** In full while it is selected or searched. */
function shownText({ value, node }: TreeRow, wanted: string, isCurrent: boolean): string {
  const found = typeof value === 'string' ? excerpt(value, wanted, TEXT_SHOWN) : undefined
  return found ?? (isCurrent || wanted !== '' ? node.preview : inRow(node))
}

/** Screen reader text for the change sign and color. */
function describeRow({ change, inside, isOpen }: TreeRow): string {
  if (change) return `, ${change}`
  return inside > 0 && isOpen !== true ? 'changed within' : ''
}

/** The text with matches highlighted. */
export function Highlighted({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  if (wanted === '') return text
  return stretches(text, wanted).map(({ from, text: part, isHit }) =>
    isHit ? (
      <mark key={from} className={styles.hit}>
        {part}
      </mark>
    ) : (
      part
    ),
  )
}
