// Button with a menu that copies a call as code in one of three formats.
import { Check, ClipboardCopy } from 'lucide-react'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import type { CallSpec } from '../../../services/workbench/rest/index.ts'
import { useCopyAs } from './use-copy-as.ts'

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
