// The console as other apps place it: loaded when it is first shown, and nothing where there is no browser.
import { lazy, Suspense, useSyncExternalStore, type CSSProperties } from 'react'
import type { ControlHandle } from '../../../control.ts'
import type { MachineChart } from '../../../trace/format.ts'
import { ErrorBoundary } from '../../widgets/error-boundary.tsx'
import type { ConsoleRecording } from '../console-recording.ts'

export interface ChartroomConsoleProps {
  /** Of `attach(machine)`, or that of a Chartroom client. */
  readonly recording: ConsoleRecording
  /** Through which the system can be driven; of `attach`, too. */
  readonly control?: Pick<ControlHandle, 'open' | 'systems'>
  /** As the system has it unless told. */
  readonly theme?: 'system' | 'light' | 'dark'
  /** Called by its button; without it there is none. */
  readonly onClose?: () => void
  /** Charts by machine id, for traces that bring none. */
  readonly machines?: Readonly<Record<string, MachineChart>>
  /** On the box around it, which has to have a height: it fills what it is given. */
  readonly className?: string
  readonly style?: CSSProperties
}

const Embedded = lazy(async () => ({ default: (await import('./embedded-console.tsx')).EmbeddedConsole }))
const never = () => () => undefined

/** Before its styles are there, and without them. */
function Note({ children }: { readonly children: string }) {
  return (
    <p role="status" style={{ margin: 0, padding: 16, font: '13px/1.5 system-ui, sans-serif' }}>
      {children}
    </p>
  )
}

function Failed({ error }: { readonly error: Error }) {
  return <Note>{`The console could not be shown (${error.message}). Load the page again to have it.`}</Note>
}

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
      {isInBrowser ? (
        <ErrorBoundary fallback={Failed}>
          <Suspense fallback={<Note>Loading the console…</Note>}>
            <Embedded {...rest} />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </div>
  )
}
