// Shared frame of popover editors: position, label, error and buttons.
import { useKeyboard } from 'react-aria'
import { type ReactNode, useRef, useState } from 'react'
import { Dialog, Popover } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { Kbd } from '../../../widgets/kbd.tsx'
import { isApplePlatform, keyLabel } from '../../../widgets/palette/key-name.ts'
import type { AfterEdit, CellEditorProps } from '../grid/grid-types.ts'
import styles from './editors.module.css'
import popover from '../../../widgets/popover.module.css'
import { type Cell, readCell, type Values, shortType } from '../../../../services/workbench/table/index.ts'

/** Props every popover editor shares. */
export interface EditorFrame extends Pick<CellEditorProps, 'column' | 'error' | 'onCancel'> {
  /** Saves the current value. */
  readonly onSave: (after: AfterEdit) => void
  /** Undefined when null is not allowed. */
  readonly onNull: (() => void) | undefined
}

export interface EditorPopoverProps {
  readonly frame: EditorFrame
  readonly isWide?: boolean
  /** Rendered next to the buttons. */
  readonly actions?: ReactNode
  /** Whether Enter without modifiers saves. */
  readonly isOneLine?: boolean
  readonly children: ReactNode
}

/** A click outside saves the input, Escape discards it. */
export function EditorPopover(props: EditorPopoverProps) {
  const { frame, isWide = false, isOneLine = false, actions, children } = props
  const { column, error, onSave, onNull, onCancel } = frame
  const { keyboardProps } = useKeyboard({
    onKeyDown: event => {
      const isField = event.target instanceof HTMLInputElement
      const keeps = event.key === 'Enter' && (event.ctrlKey || event.metaKey || (isOneLine && isField))
      if (keeps) onSave('down')
      else if (event.key === 'Escape') onCancel()
      else event.continuePropagation()
    },
  })
  return (
    <CellPopover className={cx(styles.popover, isWide && styles.wide)} onLeave={() => onSave('stay')}>
      <Dialog aria-label={`Edit ${column.name}`} className={cx(styles.dialog)}>
        <div className={styles.frame} {...keyboardProps}>
          <header className={styles.title}>
            <strong>{column.name}</strong> <span className={styles.type}>{shortType(column.format)}</span>
          </header>
          {children}
          {error === undefined ? null : (
            <p role="alert" className={styles.error}>
              {error}
            </p>
          )}
          <footer className={styles.footer}>
            {onNull === undefined ? null : (
              <Button size="s" variant="quiet" onPress={onNull}>
                Set null
              </Button>
            )}
            {actions}
            <span className={styles.grow} />
            {isOneLine ? null : <Kbd>{keyLabel('Mod+Enter', isApplePlatform())}</Kbd>}
            <Button size="s" onPress={onCancel}>
              Cancel
            </Button>
            <Button size="s" variant="primary" onPress={() => onSave('stay')}>
              Save
            </Button>
          </footer>
        </div>
      </Dialog>
    </CellPopover>
  )
}

export interface CellPopoverProps {
  readonly className: string
  /** Called on a click outside or a closing key. */
  readonly onLeave: () => void
  readonly children: ReactNode
}

export function CellPopover({ className, onLeave, children }: CellPopoverProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={anchor} data-editor="" className={styles.anchor} />
      <Popover
        triggerRef={anchor}
        isOpen
        placement="bottom start"
        offset={0}
        crossOffset={-1}
        className={cx(popover.popover, className)}
        onOpenChange={isOpen => {
          if (!isOpen) onLeave()
        }}
      >
        {children}
      </Popover>
    </>
  )
}

const NOTHING: Values = {}

export interface PopoverDraft {
  readonly text: string
  readonly setText: (text: string) => void
  /** @param also values this choice sets in other columns of the row */
  readonly put: (cell: Cell, also?: Values) => void
  /** Props for the popover; the error appears after the first attempt to save. */
  readonly frame: EditorFrame
}

/**
 * Unchanged text writes nothing; invalid text stays open with its error.
 * @param textOf how the value is written in the editor; defaults to as stored
 */
export const usePopoverDraft = (
  props: CellEditorProps,
  textOf = (cell: string): string => cell,
): PopoverDraft => {
  const { column, cell, typed, isUnchecked = false, onCommit, onType, onCancel } = props
  const [initial] = useState(() => textOf(cell ?? ''))
  const [text, setText] = useState(typed ?? initial)
  const [error, setError] = useState(props.error)
  const isOver = useRef(false)
  const put = (next: Cell, after: AfterEdit = 'stay', also: Values = NOTHING) => {
    if (isOver.current) return
    isOver.current = true
    const isSame = next === cell && Object.keys(also).length === 0
    if (isSame && props.error === undefined && after === 'stay') onCancel()
    else onCommit(next, after, also)
  }
  const empty = column.type === 'text' ? '' : null
  const type = (next: string) => {
    setText(next)
    onType?.(next === '' ? empty : next)
  }
  const onSave = (after: AfterEdit) => {
    const isUntouched = typed === undefined && text === initial
    const next = isUntouched ? cell : text === '' ? empty : text
    const reading = isUntouched || isUnchecked ? { value: null } : readCell(column, next)
    if ('error' in reading) setError(reading.error)
    else put(next, after)
  }
  const onNull = column.required ? undefined : () => put(null)
  const choose = (next: Cell, also?: Values) => put(next, 'stay', also)
  return { text, setText: type, put: choose, frame: { column, error, onSave, onNull, onCancel } }
}
