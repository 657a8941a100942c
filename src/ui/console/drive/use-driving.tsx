// Driving in the console: its buttons, its bar, its panel and its keys, over what is looked at.
import { useEffect, useReducer, type KeyboardEvent, type ReactNode } from 'react'
import type { ControlHandle } from '../../../control.ts'
import type { TraceSource } from '../../../trace/format.ts'
import type { ChartDriver } from '../chart/chart-driver.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import { takesText } from '../keys.ts'
import type { ConsoleModel } from '../use-console.ts'
import type { Begun } from './begin-sandbox.ts'
import { DriveBar, DriveButtons } from './drive-bar.tsx'
import { driveCommandOf, type DriveCommand } from './drive-keys.ts'
import { DrivePanel, type DrivePlace } from './drive-panel.tsx'
import { breaksAt } from './new-breakpoint.ts'
import { useBackendFaults } from './use-backend-faults.ts'
import { useChartDriver } from './use-chart-driver.tsx'
import { useDrive, type Drive } from './use-drive.ts'

/** What the console shows of driving; nothing of it where nothing can be driven. */
export interface Driving {
  readonly buttons: ReactNode
  readonly bar: ReactNode
  readonly panel: ReactNode
  /** For the chart. */
  readonly chart: ChartDriver
  /** Whether the key was one of driving. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

export interface DrivingOptions {
  readonly handle: Pick<ControlHandle, 'open'> | undefined
  readonly model: ConsoleModel
  readonly recording: ConsoleRecording
  /** Of a sandbox, the recording that it came from. */
  readonly origin: TraceSource | undefined
  readonly onBranch: (begun: Begun) => void
}

export function useDriving(options: DrivingOptions): Driving {
  const { handle, model, recording, origin, onBranch } = options
  const drive = useDrive(handle)
  const [isOpen, toggle] = useReducer((was: boolean) => !was, false)
  const backend = useBackendFaults(isOpen)
  const { selection, charts, followed } = model
  const { source } = followed
  const place: DrivePlace = {
    source,
    charts,
    actor: selection.actor,
    record: selection.record,
    examples: origin ?? source,
    isSandbox: origin !== undefined,
    download: () => recording.download(),
  }
  const chart = useChartDriver(drive, place, !model.file.opened)
  useHeldAt(drive, model)
  if (!drive) return { buttons: null, bar: null, panel: null, chart, onKey: () => false }
  const { control, state } = drive
  const commands: Readonly<Record<DriveCommand, () => void>> = {
    hold: () => (state.hold ? control.release() : control.hold()),
    letOne: () => void control.step(),
    break: () => {
      if (!selection.record) return
      for (const where of breaksAt(source, selection.record, selection.before)) control.breakOn(where)
    },
    drive: toggle,
  }
  // What is branched is in the console's own recording, not in a file that is looked at.
  const branches = model.file.opened ? undefined : onBranch
  return {
    chart,
    buttons: <DriveButtons drive={drive} isOpen={isOpen} onToggle={toggle} />,
    bar: <DriveBar drive={drive} backend={origin ? undefined : backend} onShow={model.pick} />,
    panel: isOpen ? <DrivePanel drive={drive} place={place} backend={backend} onBranch={branches} /> : null,
    onKey(event) {
      const command = driveCommandOf(event)
      const inside = event.currentTarget.contains(event.target instanceof Node ? event.target : null)
      if (!command || !inside || takesText(event.target)) return false
      event.preventDefault()
      event.stopPropagation()
      commands[command]()
      return true
    },
  }
}

/** The console goes where the system was held. */
function useHeldAt(drive: Drive | undefined, { pick }: ConsoleModel): void {
  const seq = drive?.state.hold?.seq
  useEffect(() => {
    if (seq !== undefined) pick(seq)
  }, [seq, pick])
}
