// Copies a text, and says that it did.
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import { IconButton } from '../../widgets/button.tsx'

const SAID_MS = 1_500

/** A browser that refuses leaves the text to be marked by hand. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <>
      <IconButton size="s" label={label} onPress={copy}>
        {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      </IconButton>
      <VisuallyHidden elementType="output">{isCopied ? 'Copied' : ''}</VisuallyHidden>
    </>
  )
}
