// What the editors with room of their own have in common: where they are, their name, what is wrong, and the ways out.
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

/** What every such editor is of, and its ways out. */
export interface EditorFrame extends Pick<CellEditorProps, 'column' | 'error' | 'onCancel'> {
  /** Keeps what is there. */
  readonly onSave: (after: AfterEdit) => void
  /** Absent where null is not allowed. */
  readonly onNull: (() => void) | undefined
}

export interface EditorPopoverProps {
  readonly frame: EditorFrame
  readonly isWide?: boolean
  /** In the line of the ways out. */
  readonly actions?: ReactNode
  /** Whether Enter alone keeps it. */
  readonly isOneLine?: boolean
  readonly children: ReactNode
}

/** Puts the focus into a field that just came. */
export const focusNow = (element: HTMLElement | null): void => element?.focus()

/** A click beside it keeps what was typed, Escape lets it go. */
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
