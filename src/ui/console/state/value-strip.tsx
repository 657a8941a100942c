// The strip below a tree: the selected row in full, its previous value, and its actions.
import { useState } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import { count } from '../text.ts'
import { describe, quoted, TEXT_SHOWN } from './json-nodes.ts'
import { LongText } from './long-text.tsx'
import type { TreeRow } from './tree-row.ts'
import { dotted } from './state-path.ts'
import styles from './strip.module.css'
import type { ValueAction } from './value-actions.tsx'

export interface ValueStripProps {
  readonly row: TreeRow
  readonly actions: readonly ValueAction[]
  readonly wanted: string
}

export function ValueStrip({ row, actions, wanted }: ValueStripProps) {
  const [isWhole, setWhole] = useState(false)
  const { value, change, before, pointer } = row
  const isLong = typeof value === 'string' && value.length > 40
  const isCut = typeof value === 'string' && value.length > TEXT_SHOWN
  return (
    <section className={styles.strip} aria-label="Selected value">
      <div className={styles.line}>
        <span className={styles.path} title={dotted(pointer)}>
          <bdi>{dotted(pointer)}</bdi>
        </span>
        {actions.map(({ id, title, icon, run }) => (
          <IconButton key={id} size="s" label={title} onPress={run}>
            {icon}
          </IconButton>
        ))}
      </div>
      {change === 'changed' ? (
        <p className={styles.before}>
          was <span className={styles.old}>{briefly(before, row.node.kind === 'word')}</span>
        </p>
      ) : null}
      {isLong && (isWhole || !isCut) ? <LongText text={value} wanted={wanted} /> : null}
      {isCut ? (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${count(value.length)} characters`}
        </button>
      ) : null}
    </section>
  )
}

const briefly = (value: unknown, isName: boolean): string =>
  typeof value === 'string' ? (isName ? value : quoted(value, 120)) : describe(value).preview
