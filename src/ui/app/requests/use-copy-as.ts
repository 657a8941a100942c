// Copies a call as code and briefly reports success.
import type { MenuAction } from '../../widgets/menu.tsx'
import { useAnnouncement } from '../../widgets/use-announcement.ts'
import { copyText } from '../shell/copy-text.ts'
import { type CallSpec, type CopiedCall, copyAs } from '../../../services/workbench/rest/index.ts'

const FORMS: readonly { readonly id: keyof CopiedCall; readonly title: string; readonly text: string }[] = [
  { id: 'supabaseJs', title: 'supabase-js', text: 'for an app' },
  { id: 'curl', title: 'curl', text: 'for a shell' },
  { id: 'fetch', title: 'fetch', text: 'for anything else' },
]

/** @param spec called when something is copied */
export function useCopyAs(spec: () => CallSpec) {
  const [isCopied, setCopied] = useAnnouncement()
  const actions = FORMS.map((form): MenuAction => ({
    ...form,
    run: () => void copyText(copyAs(spec())[form.id]).then(setCopied),
  }))
  return { isCopied, actions }
}
