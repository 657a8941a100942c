// Button with a menu that copies a call as code in one of three formats.
import { Check, ClipboardCopy } from 'lucide-react'
import { ActionMenu, MenuButton, type MenuAction } from '../../widgets/menu.tsx'
import { type CallSpec, type CopiedCall, copyAs } from '../../../services/workbench/rest/index.ts'
import { COPIED_MS, useTransient } from '../../widgets/time.ts'
import { copyText } from '../shell/copy-text.ts'

export interface CopyAsMenuProps {
  /** Called when something is copied. */
  readonly spec: () => CallSpec
  readonly size?: 's' | 'm'
  readonly isDisabled?: boolean
}

/** Copied code has placeholders for URL, key and token. */
export function CopyAsMenu({ spec, size = 's', isDisabled = false }: CopyAsMenuProps) {
  const { isCopied, actions } = useCopyAs(spec)
  const Icon = isCopied ? Check : ClipboardCopy
  return (
    <MenuButton
      text={isCopied ? 'Copied' : 'Copy as…'}
      size={size}
      icon={<Icon size={14} aria-hidden />}
      isDisabled={isDisabled}
    >
      <ActionMenu label="Copy as" actions={actions} />
    </MenuButton>
  )
}

const FORMS: readonly { readonly id: keyof CopiedCall; readonly title: string; readonly text: string }[] = [
  { id: 'supabaseJs', title: 'supabase-js', text: 'for an app' },
  { id: 'curl', title: 'curl', text: 'for a shell' },
  { id: 'fetch', title: 'fetch', text: 'for anything else' },
]

/** @param spec called when something is copied */
export function useCopyAs(spec: () => CallSpec) {
  const [isCopied = false, setCopied] = useTransient<boolean>(COPIED_MS)
  const actions = FORMS.map((form): MenuAction => ({
    ...form,
    run: () => void copyText(copyAs(spec())[form.id]).then(setCopied),
  }))
  return { isCopied, actions }
}
