// Explains how to attach an app; shown while no app is attached.
import { Cable } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton } from '../../widgets/copy-button.tsx'
import styles from './attach.module.css'

export interface AttachHelpProps {
  readonly isServed: boolean
  readonly origin: string
}

/** Shows the code to paste, with this page's address filled in. */
export function AttachHelp({ isServed, origin }: AttachHelpProps) {
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
              <code>chartroom/console</code>.
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
