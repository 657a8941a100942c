// Shows the console over the live system or over a sandbox branched from its past.
import { FlaskConical } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState, type ReactNode, useRef } from 'react'
import type { TraceSource } from '../../../trace/index.ts'
import { Button } from '../../widgets/button.tsx'
import type { ConsoleRecording } from '../console-recording.ts'
import type { Begun } from './begin-sandbox.ts'
import type { DrivenBy } from './driven.ts'
import styles from './drive.module.css'

/** Replaces the live system while a sandbox is open. */
export interface SandboxView {
  readonly recording: ConsoleRecording
  readonly control: DrivenBy
  readonly origin: TraceSource
}

export interface SandboxedProps {
  /** Renders the console; receives undefined for the live system. */
  readonly children: (
    view: SandboxView | undefined,
    onBranch: (begun: Begun) => void,
    /** The file to show again after a sandbox. */
    again: File | undefined,
    /** Whether it replaces another view, which had the focus. */
    isSwitched: boolean,
  ) => ReactNode
}

/** A sandbox that is ready after the console closed would not be disposed otherwise. */
const end = ({ sandbox }: Begun) => sandbox.dispose()

export function Sandboxed({ children }: SandboxedProps) {
  const [begun, setBegun] = useState<Begun>()
  const { sandbox } = begun ?? {}
  useEffect(() => () => sandbox?.dispose(), [sandbox])
  const [isSwitched, setSwitched] = useState(false)
  const begin = useCallback((next: Begun) => {
    setSwitched(true)
    setBegun(next)
  }, [])
  const take = useWhileOpen(begin, end)
  const [again, setAgain] = useState<File>()
  const leave = useCallback(() => {
    // A new File object, because the same one is not opened twice.
    setAgain(begun?.file && new File([begun.file], begun.file.name, { type: begun.file.type }))
    setBegun(undefined)
  }, [begun])
  const view = useMemo<SandboxView | undefined>(() => {
    if (!begun) return undefined
    const { recording, control } = begun.sandbox
    const handle = { open: () => Promise.resolve(control), systems: begun.systems }
    return { recording, control: handle, origin: begun.origin }
  }, [begun])
  if (!begun || !view) return children(undefined, take, again, isSwitched)
  const { notes } = begun.sandbox
  return (
    <div className={styles.sandbox}>
      <div className={styles.sandboxBar} role="status" aria-label="Sandbox">
        <FlaskConical size={14} aria-hidden />
        <strong>SANDBOX</strong>
        <span className={styles.why}>
          branched from #{begun.from.seq} {begun.from.type}
          {begun.file ? ` of ${begun.file.name}` : ''}; no side effects
          {notes.length > 0 ? ` · ${notes.join('; ')}` : ''}
        </span>
        <Button size="s" onPress={leave}>
          {begun.file ? 'Back to the file' : 'Back to the live system'}
        </Button>
      </div>
      <div className={styles.sandboxBody}>{children(view, take, undefined, isSwitched)}</div>
    </div>
  )
}

/** Passes the result to `take` while mounted, and to `refuse` afterwards; neither may change. */
function useWhileOpen<T>(take: (made: T) => void, refuse: (made: T) => void): (made: T) => void {
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => void (isGone.current = true)
  }, [])
  return useCallback(made => (isGone.current ? refuse : take)(made), [take, refuse])
}
