// Button that copies a text and confirms it.
import { Check, Copy } from 'lucide-react'
import { VisuallyHidden } from 'react-aria-components'
import { IconButton } from './button.tsx'
import { COPIED_MS, useTransient } from './time.ts'

export interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** Copies the text and resolves to whether that worked. */
  readonly copy?: (text: string) => Promise<boolean>
}

const intoClipboard = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )

export function CopyButton({ text, label, copy = intoClipboard }: CopyButtonProps) {
  const [isCopied = false, setCopied] = useTransient<boolean>(COPIED_MS)
  return (
    <>
      <IconButton size="s" label={label} onPress={() => void copy(text).then(setCopied)}>
        {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      </IconButton>
      <VisuallyHidden elementType="output">{isCopied ? 'Copied' : ''}</VisuallyHidden>
    </>
  )
}
