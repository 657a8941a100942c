// Loaded by the console's own page, which the docked console opens.
import { offerEditor } from '../../ui/console/source/editor-access.ts'
import { mountWindowPage } from '../../ui/console/attach/window-page.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page of the console has no element #root')
const { editor, root: folder } = root.dataset
if (editor !== undefined && folder !== undefined) offerEditor({ url: editor, root: folder })
mountWindowPage(root)
