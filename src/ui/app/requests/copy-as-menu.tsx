// Copies a call as code: a button with a menu of the three forms.
import { Check, ClipboardCopy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { toast } from 'sonner'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import type { CallSpec } from './call-spec.ts'
import { copyAs, type CopiedCall } from './copy-as.ts'

const FORMS: readonly (readonly [form: keyof CopiedCall, title: string, text: string])[] = [
  ['supabaseJs', 'supabase-js', 'for an app'],
  ['curl', 'curl', 'for a shell'],
  ['fetch', 'fetch', 'for anything else'],
]
const SHOWN_MS = 1_600

export interface CopyAsMenuProps {
  /** Asked for when something is copied. */
  readonly spec: () => CallSpec
  readonly size?: 's' | 'm'
  readonly isDisabled?: boolean
}

/** What is copied has placeholders for address, key and token. */
export function CopyAsMenu({ spec, size = 's', isDisabled = false }: CopyAsMenuProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = (form: keyof CopiedCall) => {
    navigator.clipboard.writeText(copyAs(spec())[form]).then(
      () => setCopied(true),
      () => toast.error('The clipboard is closed to this page. Allow it in the browser, then copy again.'),
    )
  }
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
            const form = FORMS.find(([id]) => id === key)?.[0]
            if (form) copy(form)
          }}
        >
          {FORMS.map(([id, title, text]) => (
            <MenuItem key={id} id={id} textValue={title} className={cx(menu.item)}>
              {title} <span className={menu.text}>{text}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
