// Opens source positions in the user's editor, where a development server offers that.
import { toast } from 'sonner'
import { isProjectPath, positionText, type SourcePosition } from '../../../trace/index.ts'
import { editorAccess } from './editor-access.ts'
import { copyText } from '../state/clipboard.ts'
import { messageOf } from '../text.ts'

/** Opens a position in the editor, or copies it. */
export async function goToSource(position: SourcePosition): Promise<void> {
  const access = editorAccess()
  if (!access || !isProjectPath(position.file)) return copyText(positionText(position), 'Position')
  const { url, root } = access
  const file = `${root.replace(/\/$/, '')}/${positionText(position)}`
  try {
    const response = await fetch(`${url}?file=${encodeURIComponent(file)}`)
    if (!response.ok) throw new Error(`the server answered with ${response.status}`)
  } catch (error) {
    toast.error(`${positionText(position)} could not be opened: ${messageOf(error)}`)
  }
}
