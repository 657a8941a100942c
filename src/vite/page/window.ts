// Loaded by the console's own page, which the docked console opens.
import { mountWindowPage } from '../../ui/console/attach/window-page.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page of the console has no element #root')
mountWindowPage(root)
