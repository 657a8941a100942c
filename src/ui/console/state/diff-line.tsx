// One change as removed and added lines; long texts are compared inline.
import { useMemo, useState, type ReactNode } from 'react'
import { cx } from '../../widgets/cx.ts'
import { plural } from '../text.ts'
import styles from './diff.module.css'
import type { Change } from './diff-walk.ts'
import { describe, inRow, quoted } from './json-nodes.ts'
import { JsonTree } from './json-tree.tsx'
import { dotted } from './state-path.ts'
import { textDiff, type TextPart } from './text-diff.ts'

const SHOWN = 120
/** New values with at most this many members are expanded. */
const OPENED = 12

export interface DiffLineProps {
  readonly change: Change
  /** Shows when this value changed. */
  readonly onWhen?: ((pointer: string) => void) | undefined
}

export function DiffLine({ change, onWhen }: DiffLineProps) {
  const { mark, pointer, before, after } = change
  const parts = useMemo(
    () =>
      typeof before === 'string' && typeof after === 'string' && pointer !== '/state'
        ? textDiff(before, after)
        : undefined,
    [before, after, pointer],
  )
  const isName = pointer === '/state' || pointer === '/status'
  const path = <Path pointer={pointer} onWhen={onWhen} />
  // Two values whose previews are equal are shown in full.
  const isClose = mark === 'changed' && inRow(describe(before)) === inRow(describe(after))
  const shared = { isName, isWhole: isClose }
  if (parts) return <Within path={path} parts={parts} />
  return (
    <>
      {mark === 'added' ? null : <Side sign="−" path={path} value={before} {...shared} />}
      {mark === 'removed' ? null : (
        <Side sign="+" path={mark === 'changed' ? null : path} value={after} {...shared} />
      )}
    </>
  )
}

function Path({ pointer, onWhen }: { readonly pointer: string; readonly onWhen: DiffLineProps['onWhen'] }) {
  const text = dotted(pointer)
  const canAsk = onWhen !== undefined && /^\/(state$|context)/.test(pointer)
  if (!canAsk) return <span className={styles.path}>{text}</span>
  return (
    <button
      type="button"
      className={cx(styles.path, styles.ask)}
      title="Show history"
      onClick={() => onWhen(pointer)}
    >
      {text}
    </button>
  )
}

interface SideProps {
  readonly sign: '+' | '−'
  readonly path: ReactNode
  readonly value: unknown
  /** A state or a status, not a text. */
  readonly isName: boolean
  readonly isWhole: boolean
}

function Side({ sign, path, value, isName, isWhole }: SideProps) {
  const node = describe(value)
  const { size, preview } = node
  const [isOpen, setOpen] = useState(sign === '+' && size <= OPENED)
  const text =
    typeof value === 'string' ? (isName ? value : quoted(value, SHOWN)) : isWhole ? preview : inRow(node)
  return (
    <div
      className={cx(
        styles.side,
        sign === '+' ? styles.added : styles.removed,
        path === null && styles.second,
      )}
    >
      <span className={styles.sign} role="img" aria-label={sign === '+' ? 'now' : 'before'}>
        {sign}
      </span>
      {path}
      {size === 0 ? (
        <span className={styles.text} title={node.kind === 'number' ? preview : undefined}>
          {text}
        </span>
      ) : (
        <button
          type="button"
          className={styles.expand}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? `▾ ${plural(size, 'member')}` : `▸ ${text}`}
        </button>
      )}
      {isOpen && size > 0 ? <JsonTree value={value} label="Content" /> : null}
    </div>
  )
}

function Within({ path, parts }: { readonly path: ReactNode; readonly parts: readonly TextPart[] }) {
  return (
    <div className={cx(styles.side, styles.within)}>
      <span className={styles.sign} role="img" aria-label="text changed">
        ±
      </span>
      {path}
      <span className={styles.text}>
        {parts.map(({ key, text, mark }) => {
          if (mark === 'added') return <ins key={key}>{text}</ins>
          return mark === 'removed' ? <del key={key}>{text}</del> : <span key={key}>{text}</span>
        })}
      </span>
    </div>
  )
}
