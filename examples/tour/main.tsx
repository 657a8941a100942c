// The page: the watch, attached in one line, and the console below it.
import { attach, ChartroomConsole } from '@chartroom/devtools/console'
import { createRoot } from 'react-dom/client'
import { openHarbour } from './harbour.ts'
import './style.css'
import { WatchPage } from './watch-page.tsx'

const harbour = openHarbour({
  now: () => performance.now(),
  setTimeout: (fn, ms) => window.setTimeout(fn, ms),
})
const { actor, recording, control } = attach(harbour.machine)
actor.start()

const place = document.getElementById('root')
if (!place) throw new Error('The page has no element for the app')
createRoot(place).render(
  <>
    <WatchPage actor={actor} onSquall={harbour.squall} />
    <div className="console">
      <ChartroomConsole recording={recording} control={control} />
    </div>
  </>,
)
