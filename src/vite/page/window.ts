// Loaded by the console's own page, which the docked console opens.
import { offerServerEditor } from './vite-editor.ts'
import { mountWindowPage } from '../../ui/console/attach/window-page.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page of the console has no element #root')
const { editor, root: folder } = root.dataset
if (editor !== undefined && folder !== undefined) offerServerEditor({ url: editor, root: folder })
mountWindowPage(root)
