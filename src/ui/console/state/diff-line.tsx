// One changed place as lines taken away and added; long texts are compared inside.
import { useMemo } from 'react'
import { cx } from '../../widgets/cx.ts'
import styles from './diff.module.css'
import type { Change } from './diff-walk.ts'
import { describe, quoted } from './json-nodes.ts'
import { dotted } from './state-path.ts'
import { textDiff, type TextPart } from './text-diff.ts'

const SHOWN = 120

export interface DiffLineProps {
  readonly change: Change
  /** Asks when this place changed. */
  readonly onWhen?: ((pointer: string) => void) | undefined
}

export function DiffLine({ change, onWhen }: DiffLineProps) {
  const { mark, pointer, before, after } = change
  const parts = useMemo(
    () => (typeof before === 'string' && typeof after === 'string' ? textDiff(before, after) : undefined),
    [before, after],
  )
  const path = <Path pointer={pointer} onWhen={onWhen} />
  if (parts) return <Within path={path} parts={parts} />
  return (
    <>
      {mark === 'added' ? null : <Side sign="−" path={path} value={before} />}
      {mark === 'removed' ? null : <Side sign="+" path={mark === 'changed' ? null : path} value={after} />}
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
      title="When did this change?"
      onClick={() => onWhen(pointer)}
    >
      {text}
    </button>
  )
}

interface SideProps {
  readonly sign: '+' | '−'
  readonly path: React.ReactNode
  readonly value: unknown
}

function Side({ sign, path, value }: SideProps) {
  const text = typeof value === 'string' ? quoted(value, SHOWN) : describe(value).preview
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
      <span className={styles.text}>{text}</span>
    </div>
  )
}

function Within({ path, parts }: { readonly path: React.ReactNode; readonly parts: readonly TextPart[] }) {
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
