// Copies a call as code: a button with a menu of the three forms.
import { Check, ClipboardCopy } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import type { CallSpec } from './call-spec.ts'
import { COPY_FORMS, useCopyAs } from './use-copy-as.ts'

export interface CopyAsMenuProps {
  /** Asked for when something is copied. */
  readonly spec: () => CallSpec
  readonly size?: 's' | 'm'
  readonly isDisabled?: boolean
}

/** What is copied has placeholders for address, key and token. */
export function CopyAsMenu({ spec, size = 's', isDisabled = false }: CopyAsMenuProps) {
  const { isCopied, copy } = useCopyAs(spec)
  const Icon = isCopied ? Check : ClipboardCopy
  return (
    <MenuTrigger>
      <Button size={size} isDisabled={isDisabled} icon={<Icon size={14} aria-hidden />}>
        {isCopied ? 'Copied' : 'Copy as'}
      </Button>
      <Popover placement="bottom end" className={cx(menu.menu)}>
        <Menu
          aria-label="Copy as"
          className={cx(menu.items)}
          onAction={key => {
            const form = COPY_FORMS.find(({ id }) => id === key)?.id
            if (form) copy(form)
          }}
        >
          {COPY_FORMS.map(({ id, title, about }) => (
            <MenuItem key={id} id={id} textValue={title} className={cx(menu.item)}>
              {title} <span className={menu.text}>{about}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
