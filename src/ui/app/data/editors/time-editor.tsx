// Date and time editor: the exact text with zone and all digits, plus a local-time picker.
import { Button } from '../../../widgets/button.tsx'
import { toLocalTime } from '../../../../services/workbench/table/index.ts'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { focusNow } from '../../hooks.ts'
import { EditorPopover } from './editor-popover.tsx'
import styles from './editors.module.css'
import { usePopoverDraft } from './use-popover-draft.ts'

const PICKERS = { timestamp: 'datetime-local', date: 'date', time: 'time' } as const

const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const pickedText = (type: keyof typeof PICKERS, text: string): string => {
  if (type === 'timestamp') return toLocalTime(text)
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : ''
  return /^\d\d:\d\d(:\d\d)?/.exec(text)?.[0] ?? ''
}

/** Whether the column's times have a zone. */
const isZoned = (format: string) => /with time zone|tz/.test(format)

/** The text is kept as written; the picker only writes into the text field above it. */
export function TimeEditor(props: CellEditorProps) {
  const { column } = props
  const { text, setText, frame } = usePopoverDraft(props)
  const type = column.type === 'date' || column.type === 'time' ? column.type : 'timestamp'
  const local = type === 'timestamp' ? toLocalTime(text).replace('T', ' ') : ''
  return (
    <EditorPopover
      frame={frame}
      isOneLine
      actions={type === 'time' ? null : <NowButton onNow={setText} isDay={type === 'date'} />}
    >
      <input
        ref={focusNow}
        className={styles.field}
        aria-label={column.name}
        value={text}
        placeholder={type === 'timestamp' ? '2026-03-01 10:00:00+00' : ''}
        spellCheck={false}
        onChange={event => setText(event.target.value)}
      />
      <label className={styles.item}>
        <span className={styles.note}>{type === 'time' ? 'Pick time' : 'Pick date'}</span>
        <input
          className={styles.field}
          type={PICKERS[type]}
          step={1}
          value={pickedText(type, text)}
          onChange={event => setText(event.target.value)}
        />
      </label>
      {type === 'timestamp' ? (
        <p className={styles.note}>
          {isZoned(column.format)
            ? `${local === '' ? '' : `${local} in `}${localZone()}. Times without a zone are read in this zone.`
            : 'No time zone: stored as written.'}
        </p>
      ) : null}
    </EditorPopover>
  )
}

function NowButton({ onNow, isDay }: { readonly onNow: (text: string) => void; readonly isDay: boolean }) {
  return (
    <Button size="s" onPress={() => onNow(isDay ? 'today' : 'now')}>
      {isDay ? 'Today' : 'Now'}
    </Button>
  )
}
