// Copies a call as code into the clipboard, and knows for a moment that it did.
import { useEffect, useState } from 'react'
import { copyText } from '../shell/copy-text.ts'
import type { CallSpec } from './call-spec.ts'
import { copyAs, type CopiedCall } from './copy-as.ts'

export interface CopyForm {
  readonly id: keyof CopiedCall
  readonly title: string
  readonly about: string
}

export const COPY_FORMS: readonly CopyForm[] = [
  { id: 'supabaseJs', title: 'supabase-js', about: 'for an app' },
  { id: 'curl', title: 'curl', about: 'for a shell' },
  { id: 'fetch', title: 'fetch', about: 'for anything else' },
]

const SHOWN_MS = 1_600

/** @param spec asked for when something is copied */
export function useCopyAs(spec: () => CallSpec) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = (form: keyof CopiedCall) => {
    void copyText(copyAs(spec())[form]).then(setCopied)
  }
  return { isCopied, copy }
}
