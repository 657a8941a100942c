// The panel of the developer tools: the console for the inspected page.
import { useCallback, useEffect, useReducer, useState } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import '../ui/widgets/tokens.css'
import '../ui/widgets/base.css'
import { createForeignRecording } from '../ui/console/attach/foreign-recording.ts'
import { OwnWindow } from '../ui/console/attach/own-window.tsx'
import { Console } from '../ui/console/index.ts'
import { Button } from '../ui/widgets/button.tsx'
import { EmptyState } from '../ui/widgets/state.tsx'
import { type InspectedPage, inspectedPage } from './inspected-page.ts'
import { hookMessages } from './hook-messages.ts'
import { pollPage } from './page-poll.ts'
import { openPageWire } from './page-wire.ts'
import styles from './panel.module.css'

/** What the page has: its own recorder, the hook of this extension, or neither. */
type Found = 'recorder' | 'hook' | 'nothing'

const FIND = `globalThis.__CHARTROOM__ ? 'recorder' : globalThis.__CHARTROOM_HOOK__ ? 'hook' : 'nothing'`
/** How often the page is examined, in milliseconds: an app may start late. */
const LOOK_EVERY = 500
const TAKE = `globalThis.__CHARTROOM_HOOK__ ? globalThis.__CHARTROOM_HOOK__.take() : '{"messages":[]}'`
const PACE = 100

const UNREADABLE = 'The page answers the recorder with something else. Reload it to record it again.'

const now = () => Number(document.timeline.currentTime)

interface PanelProps {
  readonly page: InspectedPage
  /** The script that records pages without a recorder. */
  readonly hook: string
}

function Panel({ page, hook }: PanelProps) {
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    return pollPage(page, { code: FIND, every: LOOK_EVERY }, next => {
      if (next === 'recorder' || next === 'hook' || next === 'nothing') setFound(next)
    })
  }, [page])
  const [connect] = useState(() => () => openPageWire(page))
  const reload = useCallback(() => page.reload(hook), [page, hook])
  return (
    <main className={styles.panel}>
      {found === 'recorder' ? (
        <div className={styles.body}>
          <OwnWindow connect={connect} />
        </div>
      ) : (
        <Hooked page={page} isThere={found === 'hook'} onReload={reload} />
      )}
    </main>
  )
}

interface HookedProps {
  readonly page: InspectedPage
  readonly isThere: boolean
  readonly onReload: () => void
}

/** Shows what the hook reports; before that, how to start. */
function Hooked({ page, isThere, onReload }: HookedProps) {
  const [recording] = useState(() => createForeignRecording(now))
  const [isUnreadable, setUnreadable] = useState(false)
  const [report, refresh] = useReducer(() => recording.report(), recording.report())
  useEffect(() => {
    if (!isThere) return undefined
    // Each document is a separate app: its session ids start again.
    const connection = crypto.randomUUID()
    const stopReading = pollPage(page, { code: TAKE, every: PACE }, answer => {
      const messages = hookMessages(answer)
      setUnreadable(answer !== undefined && !messages)
      for (const message of messages ?? []) recording.take(message, connection)
    })
    const unsubscribe = recording.subscribe(refresh)
    const stop = recording.keepSettling()
    return () => {
      stopReading()
      recording.disconnected(connection)
      unsubscribe()
      stop()
    }
  }, [page, isThere, recording])
  if (recording.trace.steps.length > 0)
    return (
      <>
        <VisuallyHidden elementType="h1">Console</VisuallyHidden>
        <div className={styles.body}>
          <Console ownsPalette recording={recording} />
        </div>
        <p className={styles.bar}>
          {isUnreadable ? <span role="alert">{UNREADABLE}</span> : null}
          {isThere ? `${report.messages} messages of this page` : 'This page is not recorded.'}
          <Button size="s" variant="quiet" onPress={onReload}>
            Reload and record
          </Button>
        </p>
      </>
    )
  return (
    <EmptyState
      isPage
      title={isThere ? 'Waiting for an actor' : 'This page is not recorded yet'}
      action={<Button onPress={onReload}>Reload and record</Button>}
    >
      {isUnreadable
        ? UNREADABLE
        : isThere
          ? 'The page is recorded, but has not created an actor of XState 5.'
          : 'Actors of XState 5 can be recorded from the start of the page. Nothing leaves this browser.'}
    </EmptyState>
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('panel.html has no element #root')
const response = await fetch('hook.js')
createRoot(root).render(<Panel page={inspectedPage()} hook={await response.text()} />)
