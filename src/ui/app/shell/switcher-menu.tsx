// The switcher's menu; loads on first use.
import { useState, type RefObject } from 'react'
import { Header, Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import { GuestLeaveDialog } from '../account/session/leave-card.tsx'
import { useAccounts } from '../accounts/accounts-provider.tsx'
import { useConnected } from '../connected-context.ts'
import { zoneChoices } from '../time-zone.ts'
import { useWorkspace } from '../workspace.tsx'
import { switchGroups, type SwitchGroup } from './switch-items.ts'

/** Focuses the first item, so that keyboard users can continue with the keyboard. */
const FROM_THE_FIRST = { autoFocus: 'first' } as const

export interface SwitcherMenuProps {
  readonly button: RefObject<HTMLElement | null>
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Lists all backends with their accounts and marks the current ones. */
export function SwitcherMenu({ button, isOpen, onClose }: SwitcherMenuProps) {
  const { signOut } = useAccounts()
  const { router } = useConnected()
  const [guest, setGuest] = useState<string>()
  return (
    <>
      <Popover
        aria-label="Backends and accounts"
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={open => open || onClose()}
        placement="bottom start"
        className={cx(menu.menu)}
      >
        <Items onClose={onClose} onLeaveGuest={setGuest} />
      </Popover>
      {guest === undefined ? null : (
        <GuestLeaveDialog
          onKeep={() => router.whenThere(there => void there.navigate({ to: '/account', hash: 'profile' }))}
          onLeave={() => void signOut(guest)}
          onClose={() => setGuest(undefined)}
        />
      )}
    </>
  )
}

interface ItemsProps extends Pick<SwitcherMenuProps, 'onClose'> {
  readonly onLeaveGuest: (id: string) => void
}

function Items({ onClose, onLeaveGuest }: ItemsProps) {
  const groups = useSwitches(onLeaveGuest)
  const all = groups.flatMap(({ items }) => items)
  return (
    <Menu
      {...FROM_THE_FIRST}
      aria-label="Backends and accounts"
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

/** Backends and accounts that the switcher offers. */
function useSwitches(leaveGuest: (id: string) => void): readonly SwitchGroup[] {
  const { router } = useConnected()
  const workspace = useWorkspace()
  const accounts = useAccounts()
  return switchGroups(
    workspace,
    accounts,
    {
      manage: () => router.whenThere(there => void there.navigate({ to: '/connections' })),
      account: () => router.whenThere(there => void there.navigate({ to: '/account' })),
      leaveGuest,
    },
    zoneChoices(),
  )
}
