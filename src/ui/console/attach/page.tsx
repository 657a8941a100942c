// Starts the console in a page of its own: a window beside the app, or what other apps are attached to.
import { createRoot } from 'react-dom/client'
import '../../tokens.css'
import '../../base.css'
import { AttachView } from './attach-view.tsx'
import { OwnWindow } from './own-window.tsx'
import { tabOf } from './tab-protocol.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('console.html has no element #root')
const tab = tabOf(window.location.hash)
// Not in strict mode: to listen twice would have an app tell all that it has twice.
createRoot(root).render(
  // `chartroom serve` gives this page out as the whole of its site.
  tab === undefined ? <AttachView isServed={window.location.pathname === '/'} /> : <OwnWindow tab={tab} />,
)
