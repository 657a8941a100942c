// Entry point of the console's own page: a window next to the app, or a host for attached apps.
import { createRoot } from 'react-dom/client'
import '../../widgets/tokens.css'
import '../../widgets/base.css'
import { AttachView } from './attach-view.tsx'
import { OwnWindow } from './own-window.tsx'
import { fromApp } from './tab-messages.ts'
import { openWire, tabOf } from './tab-protocol.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('console.html has no element #root')
const tab = tabOf(window.location.hash)
// No strict mode: listening twice would make an app send everything twice.
createRoot(root).render(
  // `chartroom serve` serves this page at the root of its site.
  tab === undefined ? (
    <AttachView isServed={window.location.pathname === '/'} />
  ) : (
    <OwnWindow connect={() => openWire(tab, fromApp)} canDock />
  ),
)
