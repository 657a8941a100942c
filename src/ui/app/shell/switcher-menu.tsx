// The menu of the switcher, which comes when it is first opened.
import type { RefObject } from 'react'
import { Header, Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import { useSwitches } from './use-switches.ts'

/** Whoever opened it by key goes on by key. */
const FROM_THE_FIRST = { autoFocus: 'first' } as const

export interface SwitcherMenuProps {
  readonly button: RefObject<HTMLElement | null>
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** All hosts with their accounts; what is in use is marked. */
export function SwitcherMenu({ button, isOpen, onClose }: SwitcherMenuProps) {
  return (
    <Popover
      aria-label="Hosts and accounts"
      triggerRef={button}
      isOpen={isOpen}
      onOpenChange={open => open || onClose()}
      placement="bottom start"
      className={cx(menu.menu)}
    >
      <Items onClose={onClose} />
    </Popover>
  )
}

function Items({ onClose }: Pick<SwitcherMenuProps, 'onClose'>) {
  const groups = useSwitches()
  const all = groups.flatMap(({ items }) => items)
  return (
    <Menu
      {...FROM_THE_FIRST}
      aria-label="Hosts and accounts"
      className={cx(menu.items)}
      selectionMode="single"
      selectedKeys={all.filter(({ isOn }) => isOn).map(({ id }) => id)}
      onAction={key => {
        onClose()
        all.find(({ id }) => id === key)?.run()
      }}
    >
      {groups.map(({ id, title, note, items }, at) => (
        <MenuSection key={id}>
          <Header className={cx(menu.heading)}>
            {title} <span className={menu.text}>{note}</span>
          </Header>
          {items.map(item => (
            <MenuItem
              key={item.id}
              id={item.id}
              textValue={item.title}
              className={cx(menu.item, menu.marked)}
            >
              {item.title}
              {item.note === '' ? null : <span className={menu.text}>{item.note}</span>}
            </MenuItem>
          ))}
          {at < groups.length - 1 ? <Separator className={cx(menu.line)} /> : null}
        </MenuSection>
      ))}
    </Menu>
  )
}
