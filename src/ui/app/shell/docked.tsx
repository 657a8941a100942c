// The console below the page, with its location in the URL.
import { useMemo, type ReactNode } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import {
  type BesideEvent,
  Console,
  type ConsoleLocation,
  DockedConsole,
  type PlaceParams,
  type ConsoleRecording,
} from '../../console/index.ts'
import { useClient } from '../../react/index.ts'
import { ErrorBoundary } from '../../widgets/error-boundary.tsx'
import { Select } from '../../widgets/select.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { useWorkRecordings, workRecordings, type WorkRecording, type WorkShown } from '../work-recordings.ts'
import { DockPanel, useFullSize } from './dock-panel.tsx'
import styles from './docked.module.css'
import type { ConsoleToggle } from './use-console-toggle.ts'
import { createAppRouter } from '../router.tsx'
import { useConnected } from '../connected-context.ts'
import { consoleLocation } from './console-location.ts'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { followPast } from '../past/follow-past.tsx'
import { RequestLink } from '../requests/request-link.tsx'
import { formatTime } from '../../../services/workbench/text/index.ts'

function ConsoleFailed({ error }: { readonly error: Error }) {
  return (
    <ErrorState title="The console could not be shown">
      The app and its recording keep running. Reload the page to try again. ({error.message})
    </ErrorState>
  )
}

export interface DockedProps {
  readonly toggle: ConsoleToggle
  readonly onDetach: (tab: string) => void
}

const CLIENT = 'client'

/** Includes the start time, as several jobs may share a name; a client has a unique name. */
const labelOf = ({ name, stays, recording }: WorkRecording): string =>
  stays === true ? name : `${name} · ${formatTime(recording.trace.header.startedAt)}`

/** Selects the shown recording, if there are others than the client's. */
function Shown({ list, shown, onShow }: WorkShown & { readonly onShow: (id: string) => void }) {
  return (
    <div className={styles.shown}>
      <Select
        label="Recording in the console"
        hideLabel
        options={[{ id: CLIENT, label: 'Client' }, ...list.map(one => ({ id: one.id, label: labelOf(one) }))]}
        value={shown?.id ?? CLIENT}
        onChange={onShow}
      />
    </div>
  )
}

/** A location that is not stored in the URL, which belongs to the client's recording. */
function placeAt(at: PlaceParams): ConsoleLocation {
  let params = at
  return {
    read: () => params,
    write: next => {
      params = next
    },
    subscribe: () => () => undefined,
  }
}

const copyOf = (file: File | undefined) => file && new File([file], file.name)

/** A client's recording contains its own requests, so it needs no links to another one. */
const besideIn = (shown: WorkRecording | undefined): BesideEvent =>
  shown === undefined || shown.stays === true ? () => null : requestBeside(shown.recording, shown.by)

/** Rendered while the console is open. */
export function Docked({ toggle, onDetach }: DockedProps) {
  const client = useClient()
  const { recording } = client
  const work = useWorkRecordings(client)
  const { show } = workRecordings(client)
  const { traces: store, control } = useConnected()
  const location = useConsoleLocation()
  const beside = useMemo(() => besideIn(work.shown), [work.shown])
  const place = useMemo(() => (work.shown?.locate ?? placeAt)(work.shown?.at ?? {}), [work.shown])
  // Another object each time: the console opens a file only once.
  const file = useMemo(() => copyOf(work.shown?.opens), [work.shown])
  const onMoment = useMemo(() => followPast(client), [client])
  const full = useFullSize()
  if (!recording) return null
  const choice =
    work.list.length > 0 ? (
      <Shown {...work} onShow={id => show(work.list.find(one => one.id === id)?.recording)} />
    ) : null
  return (
    <DockPanel isFull={full.isOn}>
      <ErrorBoundary fallback={ConsoleFailed}>
        <div className={styles.consoles}>
          {/* The page below is inert, with its heading. */}
          {full.isOn ? (
            <VisuallyHidden>
              <h1>Console</h1>
            </VisuallyHidden>
          ) : null}
          {work.shown ? (
            <Console
              key={`${work.shown.id} ${work.shown.at?.actor ?? ''} ${work.shown.at?.at ?? ''}`}
              location={place}
              ownsPalette
              full={full}
              hostChoice={choice}
              recording={work.shown.recording}
              beside={beside}
              onClose={toggle.close}
              {...(work.shown.control && { control: work.shown.control })}
              {...(file && { opens: file, opensAtPlace: true })}
            />
          ) : (
            <DockedConsole
              recording={recording}
              full={full}
              hostChoice={choice}
              onClose={toggle.close}
              onDetach={onDetach}
              takesFocus={toggle.takesFocus}
              location={location}
              onMoment={onMoment}
              {...(store && { store })}
              {...(control && { control })}
            />
          )}
        </div>
      </ErrorBoundary>
    </DockPanel>
  )
}

/** Loads the router if needed, also while signed out. */
function useConsoleLocation(): ConsoleLocation {
  const { take } = useConnected().router
  return useMemo(() => consoleLocation(take(createAppRouter)), [take])
}

/** Renders a link for each event of `recording` that names a request; `by` defaults to the current client. */
const requestBeside =
  (recording: ConsoleRecording, by: ChartroomClient | undefined): BesideEvent =>
  (event, header): ReactNode => {
    const { request } = event as { readonly request?: unknown }
    if (typeof request !== 'string' || header !== recording.trace.header) return null
    return (
      <RequestLink of={request} by={by}>
        Show request
      </RequestLink>
    )
  }
