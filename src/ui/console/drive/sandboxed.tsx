// The console over the live system, or over a sandbox that goes on from its past.
import { FlaskConical } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { TraceSource } from '../../../trace/format.ts'
import { Button } from '../../widgets/button.tsx'
import type { ConsoleRecording } from '../console-recording.ts'
import type { Begun } from './begin-sandbox.ts'
import type { DrivenBy } from './driven.ts'
import styles from './drive.module.css'
import { useWhileOpen } from './use-while-open.ts'

/** What a sandbox puts in the place of the live system. */
export interface SandboxView {
  readonly recording: ConsoleRecording
  readonly now: () => number
  readonly control: DrivenBy
  readonly origin: TraceSource
}

export interface SandboxedProps {
  /** Draws the console, over the live system when there is no sandbox. */
  readonly children: (
    view: SandboxView | undefined,
    onBranch: (begun: Begun) => void,
    /** The file that is shown again after a sandbox. */
    again: File | undefined,
  ) => ReactNode
}

/** Nobody else would, of one that is ready when the console has closed. */
const end = ({ sandbox }: Begun) => sandbox.dispose()

export function Sandboxed({ children }: SandboxedProps) {
  const [begun, setBegun] = useState<Begun>()
  const { sandbox } = begun ?? {}
  useEffect(() => () => sandbox?.dispose(), [sandbox])
  const take = useWhileOpen(setBegun, end)
  const [again, setAgain] = useState<File>()
  const leave = useCallback(() => {
    // Another one: the same is not opened twice.
    setAgain(begun?.file && new File([begun.file], begun.file.name, { type: begun.file.type }))
    setBegun(undefined)
  }, [begun])
  const view = useMemo<SandboxView | undefined>(() => {
    if (!begun) return undefined
    const { recording, now, control } = begun.sandbox
    const handle = { open: () => Promise.resolve(control), systems: begun.systems }
    return { recording, now, control: handle, origin: begun.origin }
  }, [begun])
  if (!begun || !view) return children(undefined, take, again)
  const { notes } = begun.sandbox
  return (
    <div className={styles.sandbox}>
      <div className={styles.sandboxBar} role="status" aria-label="Sandbox">
        <FlaskConical size={14} aria-hidden />
        <strong>SANDBOX</strong>
        <span className={styles.why}>
          goes on from #{begun.from.seq} {begun.from.type}
          {begun.file ? ` of ${begun.file.name}` : ''}; nothing reaches the world
          {notes.length > 0 ? ` · ${notes.join('; ')}` : ''}
        </span>
        <Button size="s" onPress={leave}>
          {begun.file ? 'Back to the file' : 'Back to the live system'}
        </Button>
      </div>
      <div className={styles.sandboxBody}>{children(view, take, undefined)}</div>
    </div>
  )
}
