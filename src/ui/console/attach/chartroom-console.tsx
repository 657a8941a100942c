// The console as a component for other apps: loads lazily and renders nothing without a browser.
import { lazy, Suspense, useSyncExternalStore, version, type CSSProperties } from 'react'
import type { ControlHandle } from '../../../services/control/index.ts'
import { commandLine, type MachineChart } from '../../../trace/index.ts'
import { ErrorBoundary } from '../../widgets/error-boundary.tsx'
import type { ConsoleMoment, ConsoleRecording, OnMoment } from '../console-recording.ts'

export type { ConsoleMoment, OnMoment }

/** Props of `ChartroomConsole`. */
export interface ChartroomConsoleProps {
  /** Recording of `attach(machine)` or of a Chartroom client. */
  readonly recording: ConsoleRecording
  /** Control handle for the system, also from `attach`. */
  readonly control?: Pick<ControlHandle, 'open' | 'systems'>
  /** Defaults to the operating system's theme. */
  readonly theme?: 'system' | 'light' | 'dark'
  /** Called by the close button; without it, the button is hidden. */
  readonly onClose?: () => void
  /** Charts by machine id, for traces without charts. */
  readonly machines?: Readonly<Record<string, MachineChart>>
  /**
   * Called with the moment when the console shows a past moment of `recording`, again for each other one, and
   * with undefined when it follows the recording again or is unmounted. Without it, the console itself says that
   * the app goes on. A file that is opened in the console is no moment of the app.
   */
  readonly onMoment?: OnMoment
  /**
   * URL of the console's own page on this origin: a copy of the folder `console-page` of the package, as in
   * `/console-page/console.html`. Adds the button that moves the console into a separate window.
   */
  readonly ownWindow?: string
  /** Class of the wrapper. It must have a height: the console fills it. */
  readonly className?: string
  readonly style?: CSSProperties
}

const Embedded = lazy(async () => ({ default: (await import('./embedded-console.tsx')).EmbeddedConsole }))
const never = () => () => undefined

/** Plain text shown before the console's styles load, or without them. */
function Note({ children }: { readonly children: string }) {
  return (
    <p role="status" style={{ margin: 0, padding: 16, font: '13px/1.5 system-ui, sans-serif' }}>
      {children}
    </p>
  )
}

function Failed({ error }: { readonly error: Error }) {
  return <Note>{`The console could not be shown (${error.message}). Reload the page to try again.`}</Note>
}

const isReactTooOld = Number.parseInt(version) < 19
const UPDATE_REACT = `The console needs React 19 or newer, but this page has React ${version}. Record with "attach" and show the recording with "${commandLine('serve')}".`

/** Shows the actors of a system: their statecharts, every step with its cause, and time travel. */
export function ChartroomConsole(props: ChartroomConsoleProps) {
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const { className, style, ...rest } = props
  return (
    <div className={className} style={{ height: '100%', minHeight: 0, ...style }}>
      {isInBrowser && isReactTooOld ? (
        <Note>{UPDATE_REACT}</Note>
      ) : isInBrowser ? (
        <ErrorBoundary fallback={Failed}>
          <Suspense fallback={<Note>Loading the console…</Note>}>
            <Embedded {...rest} />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </div>
  )
}
