// The console docked at the lower edge of another app's page, for all systems of the page.
// First, since it sets the order of the layers.
import '../../widgets/tokens.css'
import { useEffect, useState, useSyncExternalStore, type KeyboardEvent, type PointerEvent } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../../widgets/error-boundary.tsx'
import type { ConsoleLocation } from '../model/location.ts'
import styles from './attach.module.css'
import { EditLine } from '../edits/edit-line.tsx'
import type { ConsoleEdits } from '../edits/edits.ts'
import { DockedConsole } from './docked-console.tsx'
import { EmbeddedFrame } from './embedded-frame.tsx'
import { SystemChoice } from './system-choice.tsx'
import type { Systems } from './systems.ts'

export interface DockProps {
  readonly systems: Systems
  /** Edit and replay; absent in hosts without a development server. */
  readonly edits?: ConsoleEdits
  /** URL of the console's own page on this origin. */
  readonly page: string
  readonly location: ConsoleLocation
  /** Whether the console takes the focus when it appears. */
  readonly takesFocus: boolean
  /** The stored height in pixels, which is written when it changes. */
  readonly height: { readonly read: () => string | undefined; readonly write: (text: string) => void }
  readonly onClose: () => void
  /** Called when the console moves to a window that belongs to the tab with this id. */
  readonly onDetach: (tab: string) => void
}

/** Shows the dock in an element that it positions; returns a function that removes it. */
export function mountDock(place: HTMLElement, props: DockProps): () => void {
  const root = createRoot(place)
  const setSize = (height: string) => {
    place.style.height = height
  }
  root.render(<Dock {...props} setSize={setSize} />)
  return () => root.unmount()
}

type SetSize = (height: string) => void

function Dock({ setSize, systems, height, ...props }: DockProps & { readonly setSize: SetSize }) {
  const entries = useSyncExternalStore(systems.subscribe, systems.entries)
  const shown = systems.shown()
  const size = useSize(setSize, height)
  /** Whether both runs of an edit are shown in place of the console. */
  const [isBeside, setBeside] = useState(false)
  return (
    <EmbeddedFrame>
      <div className={styles.dock}>
        <Handle {...size} />
        {props.edits ? <EditLine edits={props.edits} onShow={setBeside} /> : null}
        <div className={styles.docked} hidden={isBeside}>
          {shown ? (
            <ErrorBoundary fallback={Failed}>
              <DockedConsole
                key={shown.id}
                ownsPalette={false}
                page={props.page}
                recording={shown.recording}
                location={props.location}
                takesFocus={props.takesFocus}
                full={size.full}
                hostChoice={
                  <SystemChoice entries={entries} shown={shown.id} onShow={id => systems.show(id)} />
                }
                onClose={props.onClose}
                onDetach={props.onDetach}
                {...(shown.control && { control: shown.control })}
              />
            </ErrorBoundary>
          ) : null}
        </div>
      </div>
    </EmbeddedFrame>
  )
}

function Failed({ error }: { readonly error: Error }) {
  return (
    <p role="status" className={styles.failed}>
      The console could not be shown ({error.message}). Reload the page to try again.
    </p>
  )
}

/** Least height, and what stays visible of the page. */
const LEAST = 160
const VISIBLE = 80
/** Pixels per press of an arrow key. */
const PRESS = 24

const clamped = (height: number) => Math.max(LEAST, Math.min(height, window.innerHeight - VISIBLE))

interface Size {
  readonly height: number
  readonly setHeight: (height: number) => void
  readonly full: { readonly isOn: boolean; readonly toggle: () => void }
}

/** Sizes the dock and keeps the end of the page visible above it. */
function useSize(setSize: SetSize, stored: DockProps['height']): Size {
  const [height, setHeight] = useState(() => Number(stored.read()) || Math.round(window.innerHeight * 0.52))
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    const { style } = document.body
    const before = style.paddingBottom
    const apply = () => {
      const pixels = `${clamped(height)}px`
      setSize(isOn ? '100%' : pixels)
      style.paddingBottom = pixels
    }
    apply()
    window.addEventListener('resize', apply)
    return () => {
      window.removeEventListener('resize', apply)
      style.paddingBottom = before
    }
  }, [setSize, height, isOn])
  return {
    height: clamped(height),
    setHeight(next) {
      setHeight(clamped(next))
      stored.write(String(clamped(next)))
    },
    full: { isOn, toggle: () => setOn(!isOn) },
  }
}

/** Changes the height by dragging, or with the arrow keys. */
function Handle({ height, setHeight, full }: Size) {
  if (full.isOn) return null
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowUp') setHeight(height + PRESS)
    if (key === 'ArrowDown') setHeight(height - PRESS)
  }
  const onPointerMove = ({ currentTarget, pointerId, clientY }: PointerEvent) => {
    if (currentTarget.hasPointerCapture(pointerId)) setHeight(window.innerHeight - clientY)
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label="Console height"
      aria-orientation="horizontal"
      aria-valuenow={height}
      aria-valuemin={LEAST}
      aria-valuemax={window.innerHeight - VISIBLE}
      className={styles.handle}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}
