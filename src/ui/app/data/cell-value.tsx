// A grid value, formatted by type.
import styles from './data.module.css'
import { type Column, toLocalTime, valueText } from '../../../services/workbench/table/index.ts'

const MAX_TEXT = 300

export interface CellValueProps {
  readonly column: Column
  readonly value: unknown
  /** The signed-in user's id. */
  readonly me: string | undefined
}

export interface ShownValue {
  readonly text: string
  /** How to style text that is not the value itself (null, empty) or that is code. */
  readonly look: 'plain' | 'absent' | 'code'
  /** The full value, when the cell shortens or reformats it. */
  readonly title?: string
}

/** Distinguishes null from empty text, and shows the user's own id as a name. */
export function shownValue({ column, value, me }: CellValueProps): ShownValue {
  if (value === null || value === undefined) return { text: 'null', look: 'absent' }
  if (value === '') return { text: 'empty', look: 'absent' }
  const text = valueText(value)
  if (column.type === 'timestamp')
    return { text: toLocalTime(text).replace('T', ' ') || text, look: 'plain', title: text }
  if (column.type === 'uuid')
    return text === me
      ? { text: 'you', look: 'plain', title: text }
      : { text: `${text.slice(0, 8)}…`, look: 'code', title: text }
  const shown = text.slice(0, MAX_TEXT)
  return column.isKey || typeof value === 'boolean' || typeof value === 'object'
    ? { text: shown, look: 'code' }
    : { text: shown, look: 'plain', title: shown }
}

export function CellValue(props: CellValueProps) {
  const { text, look, title } = shownValue(props)
  if (look === 'absent') return <span className={styles.null}>{text}</span>
  return look === 'code' ? <code title={title}>{text}</code> : <span title={title}>{text}</span>
}
