// Copies a call as code into the clipboard, and knows for a moment that it did.
import { useEffect, useState } from 'react'
import { notify } from '../shell/notify.ts'
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
    navigator.clipboard.writeText(copyAs(spec())[form]).then(
      () => setCopied(true),
      () =>
        notify({
          tone: 'fail',
          title: 'Nothing was copied',
          detail: 'The clipboard is closed to this page. Allow it in the browser, then copy again.',
        }),
    )
  }
  return { isCopied, copy }
}
