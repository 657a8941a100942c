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
  try {
    await access.open(`${access.root.replace(/\/$/, '')}/${positionText(position)}`)
  } catch (error) {
    toast.error(`${positionText(position)} could not be opened: ${messageOf(error)}`)
  }
}
