// The console in a window of its own, beside the tab whose recording it shows.
import { PanelBottom } from 'lucide-react'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import { IconButton } from '../../widgets/button.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { Console } from '../console.tsx'
import { windowLocation } from '../model/window-location.ts'
import { useAppTheme } from './app-theme.ts'
import styles from './attach.module.css'
import { createRemoteRecording, type RemoteRecording } from './remote-recording.ts'
import { openWire, type FromApp, type FromWindow, type Wire } from './tab-protocol.ts'

const now = () => Number(document.timeline.currentTime)
const place = windowLocation(window)

/** Fills the page. */
export function OwnWindow({ tab }: { readonly tab: string }) {
  const [recording, dock] = useRemote(tab)
  useAppTheme()
  const isThere = recording.isThere()
  const isEmpty = recording.trace.views.length === 0
  return (
    <main className={styles.page}>
      <VisuallyHidden elementType="h1">Console</VisuallyHidden>
      {isThere || isEmpty ? null : (
        <p role="status" className={styles.waiting}>
          <Spinner /> The app is gone, or being loaded again. What it recorded stays here until it is back.
        </p>
      )}
      <div className={styles.body}>
        {isEmpty ? (
          <EmptyState title="Waiting for the app">
            This window shows the recording of the tab that opened it. Leave that tab open; it may be loaded
            again meanwhile.
          </EmptyState>
        ) : (
          <Console
            recording={recording}
            now={now}
            location={place}
            hostButtons={
              <IconButton size="s" label="Show the console in the app again" onPress={dock}>
                <PanelBottom size={15} aria-hidden />
              </IconButton>
            }
          />
        )}
      </div>
    </main>
  )
}

function useRemote(tab: string): readonly [RemoteRecording, () => void] {
  const [recording] = useState(createRemoteRecording)
  const ownWire = useRef<Wire<FromWindow, FromApp>>(undefined)
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const wire = openWire<FromWindow, FromApp>(tab)
    ownWire.current = wire
    const unsubscribe = recording.subscribe(refresh)
    const disconnect = recording.connect(wire, now)
    const leave = () => wire.say({ kind: 'closed' })
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      unsubscribe()
      disconnect()
    }
  }, [tab, recording])
  const dock = useCallback(() => {
    ownWire.current?.say({ kind: 'dock' })
    window.close()
  }, [])
  return [recording, dock]
}
