// One value in the grid, as its type is read best.
import styles from './data.module.css'
import { toLocalTime } from './draft.ts'
import { valueText, type Column } from './schema.ts'

const MAX_TEXT = 300

export interface CellValueProps {
  readonly column: Column
  readonly value: unknown
  /** The user's own id. */
  readonly me: string | undefined
}

/** Null is told from empty text; the user's own id is told by name. */
export function CellValue({ column, value, me }: CellValueProps) {
  if (value === null || value === undefined) return <span className={styles.null}>null</span>
  if (value === '') return <span className={styles.null}>empty</span>
  const text = valueText(value)
  if (column.type === 'timestamp')
    return <span title={text}>{toLocalTime(text).replace('T', ' ') || text}</span>
  if (column.type === 'uuid')
    return text === me ? <span title={text}>you</span> : <code title={text}>{text.slice(0, 8)}…</code>
  const shown = text.slice(0, MAX_TEXT)
  return column.isKey || typeof value === 'boolean' || typeof value === 'object' ? (
    <code>{shown}</code>
  ) : (
    <span title={shown}>{shown}</span>
  )
}
