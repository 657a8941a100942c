// The console for attached apps: shows setup help until an app is attached, then all attached apps.
import { useEffect, useReducer, useState, type ReactNode } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { Console } from '../console.tsx'
import { windowLocation } from '../model/location.ts'
import styles from './attach.module.css'
import { openSocketSource, openWindowSource } from './app-sources.ts'
import type { ForeignReport } from '../../../trace/index.ts'
import { createForeignRecording, type ForeignRecording } from './foreign-recording.ts'
import { count, plural } from '../text.ts'
import { Cable } from 'lucide-react'
import { CopyButton } from '../../widgets/copy-button.tsx'

export interface AttachViewProps {
  /** Whether `chartroom serve` serves this page and so also receives apps over WebSocket. */
  readonly isServed: boolean
}

const now = () => Number(document.timeline.currentTime)
const place = windowLocation(window)

/** Fills the page. */
export function AttachView({ isServed }: AttachViewProps) {
  const [recording] = useState(() => createForeignRecording(now))
  const [report, refresh] = useReducer(() => recording.report(), recording.report())
  const [isServerThere, setServerThere] = useState(isServed)
  const [strangers, setStrangers] = useState<readonly Stranger[]>([])
  useEffect(() => {
    const { source, close } = listen(recording, isServed, setServerThere, origin =>
      setStrangers(now => [...now, { origin, allow: () => source.allow(origin) }]),
    )
    const unsubscribe = recording.subscribe(refresh)
    const stop = recording.keepSettling()
    return () => {
      unsubscribe()
      close()
      stop()
    }
  }, [isServed, recording])
  const forget = (origin: string) => setStrangers(all => all.filter(one => one.origin !== origin))
  return (
    <main className={styles.page}>
      {strangers.map(stranger => (
        <StrangerNotice key={stranger.origin} stranger={stranger} onDone={() => forget(stranger.origin)} />
      ))}
      <div className={styles.body}>
        {recording.trace.steps.length === 0 ? (
          <AttachHelp isServed={isServed} origin={window.location.origin} />
        ) : (
          <>
            <VisuallyHidden elementType="h1">Console</VisuallyHidden>
            <Console ownsPalette recording={recording} location={place} />
          </>
        )}
      </div>
      <AttachStatus report={report} isServerGone={isServed && !isServerThere} />
    </main>
  )
}

function listen(
  recording: ForeignRecording,
  isServed: boolean,
  onState: (isOpen: boolean) => void,
  onStranger: (origin: string) => void,
) {
  const source = openWindowSource({
    window,
    take: message => recording.take(message, 'window'),
    onStranger,
  })
  const { take, disconnected } = recording
  const closeSocket = isServed
    ? openSocketSource({ location: window.location, take, disconnected, onState })
    : undefined
  return {
    source,
    close() {
      source.close()
      closeSocket?.()
    },
  }
}

interface Stranger {
  readonly origin: string
  readonly allow: () => void
}

/** Asks whether to show a page from another origin; its data stays hidden until the user allows it. */
function StrangerNotice({ stranger, onDone }: { readonly stranger: Stranger; readonly onDone: () => void }) {
  const { origin, allow } = stranger
  return (
    <div role="alert" className={styles.stranger}>
      <p>
        <strong>{origin}</strong> opened this page and wants to show its actors here.
      </p>
      <Button
        size="s"
        variant="primary"
        onPress={() => {
          allow()
          onDone()
        }}
      >
        Show them
      </Button>
      <Button size="s" variant="quiet" onPress={onDone}>
        Ignore
      </Button>
    </div>
  )
}

interface AttachStatusProps {
  readonly report: ForeignReport
  readonly isServerGone: boolean
}

/** Counts everything that is left out. */
function AttachStatus({ report, isServerGone }: AttachStatusProps) {
  const { apps, messages, hidden, dropped, refused, undrawn } = report
  return (
    <footer role="group" className={styles.status} aria-label="Attached apps">
      <span className={styles.apps} data-there={apps > 0 || undefined}>
        <span aria-hidden className={styles.dot} />
        {apps === 0 ? 'No app is attached' : `${plural(apps, 'app')} attached`}
      </span>
      <span>{plural(messages, 'message')}</span>
      {isServerGone ? (
        <span className={styles.wrong} role="status">
          The server is not responding. Retrying…
        </span>
      ) : null}
      {hidden > 0 ? (
        <span title="Created but never started, or stopped immediately, as in React's strict mode">
          {plural(hidden, 'actor')} hidden: never started
        </span>
      ) : null}
      {dropped > 0 ? <span>{plural(dropped, 'older event')} dropped</span> : null}
      {[...refused].map(([reason, times]) => (
        <span key={reason} className={styles.wrong}>
          {count(times)} rejected: {reason}
        </span>
      ))}
      {[...undrawn].map(([machine, problem]) => (
        <span key={machine} className={styles.wrong}>
          {machine} not drawn: {problem}
        </span>
      ))}
    </footer>
  )
}

interface AttachHelpProps {
  readonly isServed: boolean
  readonly origin: string
}

/** Shows the code to paste, with this page's address filled in. */
function AttachHelp({ isServed, origin }: AttachHelpProps) {
  const url = isServed ? origin : `${origin}/console.html`
  const socket = origin.replace(/^http/, 'ws')
  return (
    <div className={styles.help}>
      <Cable size={26} aria-hidden className={styles.helpIcon} />
      <h1 className={styles.helpTitle}>Attach an app</h1>
      <p className={styles.note}>
        Any app with XState can show its actors here. Nothing leaves this machine; secrets are removed as data
        arrives.
      </p>
      <ol className={styles.ways}>
        <Way
          title="Web page with @statelyai/inspect"
          code={`const { inspect } = createBrowserInspector({ url: '${url}' })\ncreateActor(machine, { inspect }).start()`}
        />
        {isServed ? (
          <Way
            title="Node program with @statelyai/inspect"
            code={`const { inspect } = createWebSocketInspector({ url: '${socket}' })\ncreateActor(machine, { inspect }).start()`}
          />
        ) : null}
        <Way
          title="With Chartroom's recorder (can also be replayed)"
          code={`const { actor, recording } = attach(machine)\nactor.start()`}
          note={
            <>
              and <code>{'<ChartroomConsole recording={recording} />'}</code> next to your app, from{' '}
              <code>@chartroom/devtools/console</code>.
            </>
          }
        />
      </ol>
    </div>
  )
}

interface WayProps {
  readonly title: string
  readonly code: string
  readonly note?: ReactNode
}

function Way({ title, code, note }: WayProps) {
  return (
    <li className={styles.way}>
      <span className={styles.wayTitle}>{title}</span>
      <div className={styles.code}>
        <pre>
          <code>{code}</code>
        </pre>
        <CopyButton text={code} label={`Copy: ${title}`} />
      </div>
      {note === undefined ? null : <p className={styles.note}>{note}</p>}
    </li>
  )
}
