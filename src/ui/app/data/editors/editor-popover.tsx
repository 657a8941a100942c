// What the editors with room of their own have in common: where they are, their name, what is wrong, and the ways out.
import { useKeyboard } from 'react-aria'
import { useRef, type ReactNode } from 'react'
import { Dialog, Popover } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { Kbd } from '../../../widgets/kbd.tsx'
import { isApplePlatform, keyLabel } from '../../../widgets/palette/key-name.ts'
import { shortType } from '../grid/grid-head.tsx'
import type { AfterEdit, CellEditorProps } from '../grid/grid-types.ts'
import styles from './editors.module.css'

export interface EditorPopoverProps extends Pick<CellEditorProps, 'column' | 'error' | 'onCancel'> {
  readonly isWide?: boolean
  /** Keeps what is there. */
  readonly onSave: (after: AfterEdit) => void
  /** Absent where null is not allowed. */
  readonly onNull?: (() => void) | undefined
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
  const {
    column,
    error,
    isWide = false,
    isOneLine = false,
    onSave,
    onNull,
    onCancel,
    actions,
    children,
  } = props
  const anchor = useRef<HTMLSpanElement>(null)
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
    <>
      <span ref={anchor} data-editor="" className={styles.anchor} />
      <Popover
        triggerRef={anchor}
        isOpen
        placement="bottom start"
        offset={0}
        crossOffset={-1}
        className={cx(styles.popover, isWide && styles.wide)}
        onOpenChange={isOpen => {
          if (!isOpen) onSave('stay')
        }}
      >
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
      </Popover>
    </>
  )
}
