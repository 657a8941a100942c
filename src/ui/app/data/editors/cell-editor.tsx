// Picks the cell editor by column type.
import { useState, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import type { CellEditorProps, AfterEdit } from '../grid/grid-types.ts'
import { ArrayEditor } from './array-editor.tsx'
import { ListBox, ListBoxItem } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import select from '../../../widgets/select.module.css'
import { CellPopover, EditorPopover, usePopoverDraft } from './editor-popover.tsx'
import { Button } from '../../../widgets/button.tsx'
import { focusNow } from '../../hooks.ts'
import { useTimeZone } from '../../time-zone.ts'
import { indented, formatCount } from '../../../../services/workbench/text/index.ts'
import { JsonText } from '../../json/json-text.tsx'
import {
  type Cell,
  isZoned,
  pickerTime,
  type Reference,
  withPicked,
  zonedTime,
} from '../../../../services/workbench/table/index.ts'
import styles from './editors.module.css'
import { pairValues, useLookup } from './lookup.ts'

const NULL = '·null'
const FOCUSED = { autoFocus: true } as const

/** Choosing commits immediately. */
function ChoiceEditor({ column, cell, typed, onCommit, onCancel }: CellEditorProps) {
  const values = column.type === 'boolean' ? ['true', 'false'] : (column.options ?? [])
  const begun = typed === undefined ? undefined : values.find(value => value.startsWith(typed.toLowerCase()))
  const chosen = begun ?? cell ?? NULL
  return (
    <CellPopover className={cx(select.popover)} onLeave={onCancel}>
      <ListBox
        {...FOCUSED}
        aria-label={column.name}
        className={cx(select.list)}
        selectionMode="single"
        selectionBehavior="replace"
        escapeKeyBehavior="none"
        defaultSelectedKeys={[chosen]}
        onAction={key => onCommit(key === NULL ? null : String(key), 'stay')}
      >
        {values.map(value => (
          <ListBoxItem key={value} id={value} textValue={value} className={cx(select.item)}>
            {value}
          </ListBoxItem>
        ))}
        {column.required ? null : (
          <ListBoxItem id={NULL} textValue="null" className={cx(select.item)}>
            <em>null</em>
          </ListBoxItem>
        )}
      </ListBox>
    </CellPopover>
  )
}

const MOST_INLINE = 100

function TextCellEditor(props: CellEditorProps) {
  const [typed, setTyped] = useState(props.typed)
  const [isLong, setLong] = useState(
    props.typed === undefined && ((props.cell ?? '').length > MOST_INLINE || /[\r\n]/.test(props.cell ?? '')),
  )
  if (isLong) return <TextEditor {...props} typed={typed} />
  return (
    <InlineEditor
      {...props}
      onLong={text => {
        setTyped(text)
        setLong(true)
      }}
    />
  )
}

/** Foreign keys use the lookup editor, whatever their type. */
export function CellEditor(props: CellEditorProps) {
  const { column } = props
  if (column.references !== undefined) return <LookupEditor {...props} references={column.references} />
  switch (column.type) {
    case 'boolean':
    case 'enum':
      return <ChoiceEditor {...props} />
    case 'json':
      return <JsonEditor {...props} />
    case 'array':
      return <ArrayEditor {...props} />
    case 'timestamp':
    case 'date':
    case 'time':
      return <TimeEditor {...props} />
    case 'integer':
    case 'number':
    case 'uuid':
    case 'interval':
      return <InlineEditor {...props} />
    case 'bytea':
    case 'text':
      return <TextCellEditor {...props} />
  }
}

/** Text stays as written, including digits, unless the user formats it. */
function JsonEditor(props: CellEditorProps) {
  const { column } = props
  const { text, setText, frame } = usePopoverDraft(props)
  const laid = indented(text)
  return (
    <EditorPopover
      frame={frame}
      isWide
      actions={
        <Button
          size="s"
          variant="quiet"
          isDisabled={laid === undefined || laid === text}
          onPress={() => setText(laid ?? text)}
        >
          Format JSON
        </Button>
      }
    >
      <JsonText label={column.name} text={text} onChange={setText} takesFocus />
    </EditorPopover>
  )
}

/** The text is the search term, and the value if no row is chosen. */
function LookupEditor(props: CellEditorProps & { readonly references: Reference }) {
  const { column, references } = props
  const { text, setText, frame, put } = usePopoverDraft(props)
  const [search, setSearch] = useState(props.typed ?? '')
  const found = useLookup(references, search)
  const names = references.pairs?.map(({ theirs }) => theirs).join(' and ') ?? references.column
  const choose = (id: string) => {
    const chosen = found.phase === 'found' ? found.rows.find(each => each.id === id) : undefined
    if (chosen !== undefined) put(chosen.cell, pairValues(references, column.name, chosen.row))
  }
  return (
    <EditorPopover frame={frame} isOneLine>
      <input
        ref={focusNow}
        className={styles.field}
        aria-label={column.name}
        value={text}
        spellCheck={false}
        placeholder={`Search ${references.table}, or its ${names}`}
        onChange={event => {
          setText(event.target.value)
          setSearch(event.target.value)
        }}
      />
      {found.phase === 'failed' ? (
        <p className={styles.note}>
          {references.table} could not be searched. {found.message}
        </p>
      ) : (
        <ListBox
          aria-label={`Rows of ${references.table}`}
          className={cx(styles.found)}
          selectionMode="single"
          onAction={id => choose(String(id))}
          renderEmptyState={() => (
            <span className={styles.note}>
              {found.phase === 'loading'
                ? 'Searching…'
                : 'No row that you can see matches. Saving succeeds only if RLS hides the row from you.'}
            </span>
          )}
        >
          {found.rows.map(({ id, keys, words }) => (
            <ListBoxItem key={id} id={id} textValue={`${keys} ${words}`} className={cx(styles.option)}>
              <code>{keys}</code> <span className={styles.optionText}>{words}</span>
            </ListBoxItem>
          ))}
        </ListBox>
      )}
    </EditorPopover>
  )
}

/** Enter inserts a line break, Ctrl+Enter saves. */
function TextEditor(props: CellEditorProps) {
  const { column } = props
  const { text, setText, frame } = usePopoverDraft(props)
  return (
    <EditorPopover
      frame={frame}
      isWide
      actions={<span className={styles.note}>{formatCount(text.length)} characters</span>}
    >
      <textarea
        ref={focusNow}
        className={styles.area}
        aria-label={column.name}
        aria-invalid={frame.error !== undefined}
        dir="auto"
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </EditorPopover>
  )
}

const PICKERS = { timestamp: 'datetime-local', date: 'date', time: 'time' } as const

const EXAMPLES = { timestamp: '2026-03-01 10:00:00+00', date: '2026-03-01', time: '10:00:00' } as const

const pickedText = (type: keyof typeof PICKERS, text: string): string => {
  if (type === 'timestamp') return pickerTime(text)
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : ''
  return /^\d\d:\d\d(:\d\d)?/.exec(text)?.[0] ?? ''
}

/** The text is kept as written; the picker only writes into the text field above it. */
function TimeEditor(props: CellEditorProps) {
  const { column } = props
  const zone = useTimeZone()
  const { text, setText, frame } = usePopoverDraft(props, zonedTime)
  const type = column.type === 'date' || column.type === 'time' ? column.type : 'timestamp'
  const pick = (picked: string) => setText(type === 'timestamp' ? withPicked(text, picked) : picked)
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
        placeholder={EXAMPLES[type]}
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
          onChange={event => pick(event.target.value)}
        />
      </label>
      {type === 'timestamp' ? (
        <p className={styles.note}>
          {isZoned(column)
            ? `Times in ${zone}. A time without an offset is read in this zone.`
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

export interface InlineEditorProps extends CellEditorProps {
  /** Hands the text over to a multi-line editor. */
  readonly onLong?: (text: string) => void
}

/** An emptied field is an empty string in text columns, else null. */
const cellFrom = (text: string, { column, cell }: Pick<CellEditorProps, 'column' | 'cell'>): Cell => {
  if (text !== '') return text
  if (column.type === 'text') return cell === null ? null : ''
  return null
}

/** The field's text with `put` replacing the selection. */
const withPut = ({ value, selectionStart, selectionEnd }: HTMLInputElement, put: string): string =>
  value.slice(0, selectionStart ?? value.length) + put + value.slice(selectionEnd ?? value.length)

const afterKey = ({ key, shiftKey }: KeyboardEvent): AfterEdit | undefined => {
  if (key === 'Enter') return shiftKey ? 'up' : 'down'
  if (key === 'Tab') return shiftKey ? 'left' : 'right'
  return undefined
}

/** Enter and Tab save and move on, Escape discards, blur saves. */
function InlineEditor(props: InlineEditorProps) {
  const { column, cell, typed, error, onCommit, onType, onCancel, onLong } = props
  const [text, setText] = useState(typed ?? cell ?? '')
  const input = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    if (typed === undefined) input.current?.select()
  }, [typed])
  const end = (after: AfterEdit, isDropped = false) => {
    // Unmounting the field also blurs it; ignore that.
    if (isOver.current) return
    isOver.current = true
    const next = cellFrom(text, props)
    if (isDropped || (next === cell && error === undefined && after === 'stay')) onCancel()
    else onCommit(next, after)
  }
  const goOn = (longer: string) => {
    isOver.current = true
    onLong?.(longer)
  }
  const isNumeric = column.type === 'integer' || column.type === 'number'
  return (
    <span data-editor="" className={styles.inline}>
      <input
        ref={input}
        className={styles.input}
        aria-label={column.name}
        aria-invalid={error !== undefined}
        title={error}
        value={text}
        dir="auto"
        placeholder={cell === null ? 'null' : ''}
        inputMode={isNumeric ? 'decimal' : 'text'}
        autoComplete="off"
        spellCheck={column.type === 'text'}
        onChange={event => {
          setText(event.target.value)
          onType?.(cellFrom(event.target.value, props))
        }}
        onBlur={() => end('stay')}
        onPaste={event => {
          const put = event.clipboardData.getData('text/plain')
          // A single-line field would drop the line breaks.
          if (onLong === undefined || !/[\r\n]/.test(put)) return
          event.preventDefault()
          goOn(withPut(event.currentTarget, put.replaceAll(/\r\n?/g, '\n')))
        }}
        onKeyDown={event => {
          const after = afterKey(event)
          if (event.key === 'Enter' && event.altKey && onLong !== undefined) {
            event.preventDefault()
            return goOn(`${text}\n`)
          }
          if (after === undefined && event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          end(after ?? 'stay', event.key === 'Escape')
        }}
      />
    </span>
  )
}
