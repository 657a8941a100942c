// Copies text and notifies the user if the browser blocks it.
import { notify } from './notify.ts'

/** Resolves to whether the text was copied; `done` is shown as a notice on success, if given. */
export async function copyText(text: string, done?: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    notify({
      tone: 'fail',
      title: 'This page can’t access the clipboard',
      detail: 'Allow clipboard access in the browser, then copy again.',
    })
    return false
  }
  if (done !== undefined) notify({ tone: 'ok', title: done })
  return true
}
