// Copying, with what is said where the browser does not let a page do it.
import { notify } from './notify.ts'

/** Whether the text is in the clipboard now; `done` is said of it then, where it can't be seen otherwise. */
export async function copyText(text: string, done?: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    notify({
      tone: 'fail',
      title: 'The clipboard is closed to this page',
      detail: 'Allow it in the browser, then copy again.',
    })
    return false
  }
  if (done !== undefined) notify({ tone: 'ok', title: done })
  return true
}
