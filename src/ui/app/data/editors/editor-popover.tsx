// Shared frame of popover editors: position, label, error and buttons.
import { useKeyboard } from 'react-aria'
import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { Kbd } from '../../../widgets/kbd.tsx'
import { isApplePlatform, keyLabel } from '../../../widgets/palette/key-name.ts'
import { shortType } from '../grid/grid-head.tsx'
import type { AfterEdit, CellEditorProps } from '../grid/grid-types.ts'
import { CellPopover } from './cell-popover.tsx'
import styles from './editors.module.css'

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
