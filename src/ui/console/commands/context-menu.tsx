// A context menu of commands on a row, opened by right click, Shift+F10 or the menu key.
import { memo, useCallback, useState, type MouseEvent } from 'react'
import { Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import styles from '../../widgets/menu.module.css'
import type { ConsoleCommand } from './use-commands.ts'

/** The row the menu is about, and where it was opened. */
export interface Pointed {
  /** The value of the row's attribute. */
  readonly what: string
  readonly anchor: HTMLElement
  /** Distance from the row's left end. */
  readonly offset: number
}

/** For a list whose rows have an attribute; by key, the menu is about the list's active row. */
export function usePointed(attribute: string, onPoint: (what: string) => void) {
  const [open, setOpen] = useState<Pointed>()
  const onContextMenu = useCallback(
    (event: MouseEvent<HTMLElement>) => {
      const { target, currentTarget, clientX } = event
      const pointed = currentTarget.getAttribute('aria-activedescendant')
      const hit = target instanceof Element ? target.closest<HTMLElement>(`[${attribute}]`) : null
      const row = hit ?? (pointed === null ? null : document.getElementById(pointed))
      const what = row?.getAttribute(attribute)
      if (!row || what === null || what === undefined) return
      event.preventDefault()
      onPoint(what)
      setOpen({ what, anchor: row, offset: hit ? clientX - row.getBoundingClientRect().left : 0 })
    },
    [attribute, onPoint],
  )
  return { open, onContextMenu, close: useCallback(() => setOpen(undefined), []) }
}

/** Opened by key, the menu focuses its first item. */
const FROM_THE_FIRST = { autoFocus: 'first' } as const

/** Groups of a closed menu. */
export const NO_GROUPS: ContextMenuProps['groups'] = []

export interface ContextMenuProps {
  /** Undefined while closed. */
  readonly open: Pointed | undefined
  /** Accessible name of the menu. */
  readonly label: string
  readonly groups: readonly { readonly name: string; readonly commands: readonly ConsoleCommand[] }[]
  readonly onClose: () => void
}

/** While closed, a step does not rerender it if its groups stay the same. */
export const ContextMenu = memo(function ContextMenu(props: ContextMenuProps) {
  const { open, label, groups, onClose } = props
  const all = groups.flatMap(({ commands }) => commands)
  return (
    <Popover
      aria-label={label}
      triggerRef={{ current: open?.anchor ?? null }}
      isOpen={open !== undefined}
      onOpenChange={isOpen => isOpen || onClose()}
      placement="bottom start"
      crossOffset={open?.offset ?? 0}
      className={cx(styles.menu)}
    >
      <Menu
        {...FROM_THE_FIRST}
        aria-label={label}
        className={cx(styles.items)}
        disabledKeys={all.flatMap(({ id, disabled }) => (disabled === undefined ? [] : [id]))}
        onAction={key => {
          onClose()
          all.find(({ id }) => id === key)?.run()
        }}
      >
        {groups.map(({ name, commands }, at) => (
          <MenuSection key={name} aria-label={name}>
            {commands.map(({ id, title, disabled }, place) => (
              <MenuItem key={id} id={id} textValue={title} className={cx(styles.item)}>
                {at > 0 && place === 0 ? <Separator className={cx(styles.parting)} /> : null}
                {title}
                {disabled === undefined ? null : <span className={styles.text}>{disabled}</span>}
              </MenuItem>
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Popover>
  )
})
