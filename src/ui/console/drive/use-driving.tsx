// Control in the console: buttons, status, panel and keys for the shown system.
import { useCallback, useEffect, useRef, useState, type ReactNode, useMemo } from 'react'
import type { NetworkContents } from '../../../services/control/index.ts'
import type { TraceSource } from '../../../trace/index.ts'
import type { ChartDriver, SendFormProps } from '../chart/chart-driver.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'
import { withPane } from '../model/frame-layout.ts'
import type { ConsoleModel } from '../use-console-model.ts'
import type { Begun, BranchPlace } from './begin-sandbox.ts'
import { ControlStatus, Unavailable } from './control-status.tsx'
import { DriveButtons } from './drive-buttons.tsx'
import { DrivePanel } from './drive-panel.tsx'
import { breaksAt } from './breakpoints-tab.tsx'
import { useBackendFaults, useDrive, type Drive, type DrivePlace } from './use-drive.ts'
import type { DrivenBy } from './driven.ts'
import { Button } from '../../widgets/button.tsx'
import { Form } from '../../widgets/form.tsx'
import styles from './drive.module.css'
import { PayloadForm, useSend } from './send-tab.tsx'

/** Control elements of the console; undefined where nothing can be controlled. */
export interface Driving {
  readonly canDrive: boolean
  readonly buttons: ReactNode
  /** A line of the toolbar. */
  readonly status: ReactNode
  readonly panel: ReactNode
  /** Driver for the chart. */
  readonly chart: ChartDriver
  /** Headers, bodies and messages; undefined for files, and for systems of other pages. */
  readonly network: NetworkContents | undefined
}

export interface DrivingOptions {
  readonly handle: DrivenBy | undefined
  readonly model: ConsoleModel
  readonly recording: ConsoleRecording
  /** In a sandbox, the recording it branched from. */
  readonly origin: TraceSource | undefined
  readonly onBranch: (begun: Begun) => void
}

export function useDriving(options: DrivingOptions): Driving {
  const { handle, model, origin, onBranch } = options
  const { drive, failure } = useDrive(handle)
  const { frame } = model.place.layout
  const isOpen = frame.panes.includes('drive')
  const { go } = model
  const setOpen = useCallback(
    (isShown: boolean) => go({ type: 'layout', layout: { frame: withPane(frame, 'drive', isShown) } }),
    [go, frame],
  )
  const [tab, setTab] = useState(origin ? 'effects' : 'send')
  useOpenOnce(origin !== undefined, () => setOpen(true))
  const backend = useBackendFaults(isOpen && !origin)
  const [goal, setGoal] = useState<DrivePlace['goal']>()
  const place = { ...placeOf(options), goal }
  const isFile = model.file !== undefined
  const goTo = (state: string) => {
    setGoal({ state })
    setTab('go')
    setOpen(true)
  }
  const chart = useChartDriver(drive, place, !isFile, goTo)
  useHeldAt(drive, model)
  // The same in every step, so that stepping does not rerender the toolbar's buttons.
  const toggle = useCallback(() => setOpen(!isOpen), [setOpen, isOpen])
  const breakHere = () => {
    if (!drive || !breakAt(drive, model)) return
    setOpen(true)
    setTab('breaks')
  }
  const branchHere = () => {
    setOpen(true)
    setTab('branch')
  }
  const handlers = { panel: toggle, breakHere, branchHere, hasEvent: model.selection.seq >= 0 }
  useCommands(driveCommands(drive, isFile, handlers))
  if (!drive && !isFile) {
    const status = failure === undefined ? null : <Unavailable reason={failure} />
    return { canDrive: false, buttons: null, status, panel: null, chart, network: undefined }
  }
  // The file's unsaved notes would be lost.
  const leaveFor = (begun: Begun) => model.machine.leave(() => onBranch(begun), begun.sandbox.dispose)
  const shown = { drive, place, branch: branchOf(options), backend, tab, onTab: setTab, onBranch: leaveFor }
  return {
    canDrive: true,
    chart,
    network: isFile ? undefined : drive?.control.network,
    buttons: <DriveButtons drive={drive} isOpen={isOpen} onToggle={toggle} />,
    status: drive ? (
      <ControlStatus drive={drive} backend={backend} onShow={isFile ? undefined : model.pick} />
    ) : null,
    panel: isOpen ? <DrivePanel {...shown} /> : null,
  }
}

function placeOf({ model, origin }: DrivingOptions): Omit<DrivePlace, 'goal'> {
  const { selection, charts, followed, live } = model
  const { timeline } = followed.trace
  return {
    actors: timeline.actors,
    charts,
    actor: selection.actor,
    examples: origin ?? live.trace,
    isSandbox: origin !== undefined,
  }
}

function branchOf({ handle, model, recording }: DrivingOptions): BranchPlace {
  const { selection, followed, live, file } = model
  const { timeline, details } = followed.trace
  const shown = file?.file
  return {
    timeline,
    details,
    seq: selection.seq,
    source: live.trace,
    systems: handle?.systems ?? {},
    file: shown,
    whole: () => (shown ? Promise.resolve(shown) : recording.download()),
  }
}

/** Returns false if no event is selected to set a breakpoint on. */
function breakAt({ control }: Drive, { selection: { timeline, seq } }: ConsoleModel): boolean {
  if (seq < 0) return false
  const { value } = timeline.state(seq)
  const record = { actor: timeline.actor(seq), event: { type: timeline.type(seq) }, value }
  const before = timeline.state(timeline.previous(seq)).value
  for (const where of breaksAt(timeline.actors, record, before)) void control.breakOn(where)
  return true
}

/** A sandbox only moves by control, so the panel is open from the start. */
function useOpenOnce(isWanted: boolean, open: () => void): void {
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  useEffect(() => {
    if (isWanted) latest.current()
  }, [isWanted])
}

/** Selects the event at which the system was paused, once it is recorded; does not leave an opened file. */
function useHeldAt(drive: Drive | undefined, { pick, followed, file }: ConsoleModel): void {
  const seq = drive?.state.hold?.seq ?? -1
  const isShown = seq >= 0 && seq < followed.size && !file
  useEffect(() => {
    if (isShown) pick(seq)
  }, [isShown, seq, pick])
}

const NOBODY: ChartDriver = {}

/**
 * Returns the same driver while the same system is controlled, because rerendering the chart is expensive.
 */
function useChartDriver(
  drive: Drive | undefined,
  place: DrivePlace,
  isLive: boolean,
  goTo: (state: string) => void,
): ChartDriver {
  const latest = useRef({ drive, place, goTo })
  useEffect(() => {
    latest.current = { drive, place, goTo }
  })
  const control = drive?.control
  return useMemo(() => {
    if (!control || !isLive) return NOBODY
    const left = (number: number) => control.timers().find(timer => timer.number === number)?.left ?? 0
    return {
      timers: actor =>
        control
          .timers()
          .filter(timer => timer.actor === actor)
          .map(({ number, event: { type } }) => ({ type, left: () => left(number) })),
      onGo: (_actor, state) => latest.current.goTo(state),
      renderSend(props) {
        const now = latest.current
        return now.drive ? <ChartSend {...props} drive={now.drive} place={now.place} /> : null
      },
    }
  }, [control, isLive])
}

interface ChartSendProps extends SendFormProps {
  readonly drive: Drive
  readonly place: DrivePlace
}

/** The form that sends an event from the chart. */
function ChartSend({ drive, place, actor, event, onDone }: ChartSendProps) {
  const send = useSend(drive, place, { to: actor, type: event })
  if (send.target?.path !== actor) return <p className={styles.faint}>{actor} is no longer running.</p>
  const submit = () => {
    if (send.send()) onDone()
  }
  return (
    <Form className={styles.new} onSubmit={submit} aria-label={`Send ${event}`}>
      <PayloadForm send={send} />
      <div className={styles.controls}>
        <Button type="submit" variant="primary" size="s">
          Send
        </Button>
        <Button size="s" variant="quiet" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

interface DriveHandlers {
  /** Opens or closes the panel. */
  readonly panel: () => void
  readonly breakHere: () => void
  readonly branchHere: () => void
  /** Whether there is an event to set a breakpoint on. */
  readonly hasEvent: boolean
}

/** Returns no commands if nothing can be controlled and no file can be branched from. */
function driveCommands(
  drive: Drive | undefined,
  isFile: boolean,
  handlers: DriveHandlers,
): readonly ConsoleCommand[] {
  if (!drive && !isFile) return []
  const shared = branchCommands(handlers)
  return drive ? [...runningCommands(drive, handlers), ...shared] : shared
}

/** Commands that need only a recording. */
function branchCommands(handlers: DriveHandlers): readonly ConsoleCommand[] {
  return [
    {
      id: 'drive.branch',
      title: 'Branch from the selected event in a sandbox',
      section: 'Control',
      words: 'branch replay what if fork',
      ...(!handlers.hasEvent && { disabled: 'no event is selected' }),
      run: handlers.branchHere,
    },
    {
      id: 'drive.panel',
      title: 'Toggle control panel',
      section: 'Control',
      keys: ['I'],
      words: 'drive panel send timers faults clock effects breakpoints branch',
      run: handlers.panel,
    },
  ]
}

function runningCommands(drive: Drive, handlers: DriveHandlers): readonly ConsoleCommand[] {
  const { control, state } = drive
  const section = 'Control'
  return [
    {
      id: 'drive.hold',
      title: 'Pause or resume the system',
      section,
      keys: ['P'],
      words: 'hold lock stop release',
      run: () => (state.hold ? control.release() : control.hold()),
    },
    {
      id: 'drive.step',
      title: 'While paused: step one event',
      section,
      keys: ['N'],
      words: 'step one',
      ...(state.waiting.length === 0 && { disabled: 'no events waiting' }),
      run: () => control.step(),
    },
    {
      id: 'drive.break',
      title: 'Add breakpoint at the selected event',
      section,
      keys: ['B'],
      words: 'break hold stop',
      ...(!handlers.hasEvent && { disabled: 'no event is selected' }),
      run: handlers.breakHere,
    },
    {
      id: 'drive.realTime',
      title: 'Sync the system clock to real time',
      section,
      words: 'speed',
      ...(state.speed === 1 && state.ahead === 0 && { disabled: 'it runs in real time' }),
      run: () => control.time.toReal(),
    },
    {
      id: 'drive.clearFaults',
      title: 'Clear client-side faults',
      section,
      words: 'offline slow',
      ...(state.faults.length === 0 && { disabled: 'none are active' }),
      run: () => state.faults.forEach(({ fault }) => control.faults.clear(fault.kind)),
    },
  ]
}
