// The console in a separate window, showing the recording of its tab.
import { History, PanelBottom } from 'lucide-react'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import { encodeFile, type ReplayableTrace } from '../../../trace/index.ts'
import { ToolButton } from '../../widgets/button.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { ActionMenu, IconMenu } from '../../widgets/menu.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { Console } from '../console.tsx'
import { windowLocation } from '../model/location.ts'
import { plural } from '../text.ts'
import styles from './attach.module.css'
import type { ConsoleMoment, OnMoment } from '../console-recording.ts'
import { RemoteRecording } from './remote-recording.ts'
import { SystemChoice } from './system-choice.tsx'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'
import { formatTime } from '../../../services/workbench/text/index.ts'

/** Storage key of the app's theme. */
const THEME = 'chartroom.ui.theme'

/** Sets the app's theme on the document. */
function useAppTheme(): void {
  useEffect(() => {
    const apply = () => {
      const theme = storedTheme()
      if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
      else delete document.documentElement.dataset['theme']
    }
    apply()
    const onChange = ({ key }: StorageEvent) => key === THEME && apply()
    window.addEventListener('storage', onChange)
    return () => window.removeEventListener('storage', onChange)
  }, [])
}

function storedTheme(): unknown {
  try {
    return JSON.parse(globalThis.localStorage.getItem(THEME) ?? 'null')
  } catch {
    return undefined
  }
}

const now = () => Number(document.timeline.currentTime)
const place = windowLocation(window)

export interface OwnWindowProps {
  /** Opens the connection to the app; called once. */
  readonly connect: () => Wire<FromWindow, FromApp>
  /** Whether the console can move back into the app. */
  readonly canDock?: boolean
}

/** Fills the page. */
export function OwnWindow({ connect, canDock = false }: OwnWindowProps) {
  const [recording, dock, reportMoment] = useRemote(connect)
  useAppTheme()
  const [file, setFile] = useState<File>()
  const isThere = recording.isThere()
  const problem = recording.problem()
  const isEmpty = recording.trace.steps.length === 0
  return (
    <main className={styles.page}>
      <VisuallyHidden elementType="h1">Console</VisuallyHidden>
      {isThere || isEmpty ? null : (
        <p role="status" className={styles.waiting}>
          <Spinner /> The app is closed or reloading. Its recording stays here; control resumes when the app
          is back.
        </p>
      )}
      {problem === undefined ? null : (
        <p role="alert" className={styles.waiting}>
          The app sent something that is not shown: {problem}. Reload the app to record it again.
        </p>
      )}
      <div className={styles.body}>
        {isEmpty ? (
          <EmptyState title="Waiting for the app…">
            This window shows the recording of the tab that opened it. Keep that tab open; reloading it is
            fine.
          </EmptyState>
        ) : (
          <Console
            ownsPalette
            recording={recording}
            location={place}
            control={recording.control}
            onMoment={reportMoment}
            {...(file && { opens: file })}
            hostChoice={<SystemChoice {...recording.systems()} onShow={recording.show} />}
            hostButtons={
              <>
                <BeforeReload traces={recording.earlier()} onOpen={setFile} />
                {canDock ? (
                  <ToolButton
                    icon={PanelBottom}
                    iconSize={15}
                    label="Dock the console in the app"
                    onPress={dock}
                  />
                ) : null}
              </>
            }
          />
        )}
      </div>
    </main>
  )
}

interface BeforeReloadProps {
  readonly traces: readonly ReplayableTrace[]
  readonly onOpen: (file: File) => void
}

/** Recordings of the tab's earlier pages; hidden until the first reload. */
function BeforeReload({ traces, onOpen }: BeforeReloadProps) {
  if (traces.length === 0) return null
  const actions = traces.map((trace, at) => ({
    id: trace.header.startedAt,
    title: `Before the ${at === 0 ? 'last reload' : 'one before'}`,
    text: `${timeOf(trace)} · ${plural(trace.steps.length, 'event')}`,
    run: () => void fileOf(trace).then(onOpen),
  }))
  return (
    <IconMenu label="Before the reload" icon={<History size={15} aria-hidden />}>
      <ActionMenu label="Before the reload" actions={actions} />
    </IconMenu>
  )
}

const timeOf = ({ header }: ReplayableTrace): string => formatTime(header.startedAt)

/** As a file, it can be viewed, branched from and saved like any other. */
async function fileOf(trace: ReplayableTrace): Promise<File> {
  return new File([await encodeFile(trace)], `before the reload, ${timeOf(trace)}.trace.gz`)
}

function useRemote(
  connect: OwnWindowProps['connect'],
): readonly [RemoteRecording, dock: () => void, report: OnMoment] {
  const [recording] = useState(() => new RemoteRecording())
  const [open] = useState(() => connect)
  const ownWire = useRef<Wire<FromWindow, FromApp>>(undefined)
  const shown = useRef<ConsoleMoment>(undefined)
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const wire = open()
    ownWire.current = wire
    const unsubscribe = recording.subscribe(refresh)
    const disconnect = recording.connect(wire, now)
    wire.onMessage(({ kind }) => kind === 'now' && shown.current?.toNow())
    const leave = () => wire.send({ kind: 'closed' })
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      unsubscribe()
      disconnect()
    }
  }, [open, recording])
  const dock = useCallback(() => {
    ownWire.current?.send({ kind: 'dock', at: place.read() })
    window.close()
  }, [])
  const report = useCallback(
    (moment: ConsoleMoment | undefined) => {
      shown.current = moment
      const { dropped } = recording.trace
      ownWire.current?.send({ kind: 'moment', ...(moment && { step: moment.step + dropped }) })
    },
    [recording],
  )
  return [recording, dock, report]
}
