// What can be done with the running system, by key and from the palette.
import type { ConsoleCommand } from '../commands/command.ts'
import type { Drive } from './use-drive.ts'

export interface DriveDoes {
  /** Opens or closes the panel. */
  readonly panel: () => void
  readonly breakHere: () => void
  readonly branchHere: () => void
  /** Whether there is an event to break at. */
  readonly hasEvent: boolean
}

/** None where nothing can be driven and no file be gone on from. */
export function driveCommands(
  drive: Drive | undefined,
  isFile: boolean,
  does: DriveDoes,
): readonly ConsoleCommand[] {
  if (!drive && !isFile) return []
  const shared = branchCommands(does)
  return drive ? [...runningCommands(drive, does), ...shared] : shared
}

/** What a recording alone is enough for. */
function branchCommands(does: DriveDoes): readonly ConsoleCommand[] {
  return [
    {
      id: 'drive.branch',
      title: 'Go on from the selected event, in a sandbox',
      section: 'Drive',
      words: 'branch replay what if fork',
      ...(!does.hasEvent && { disabled: 'no event is selected' }),
      run: does.branchHere,
    },
    {
      id: 'drive.panel',
      title: 'Open or close what drives the system',
      section: 'Drive',
      keys: ['I'],
      words: 'drive panel send timers faults clock effects breakpoints branch',
      run: does.panel,
    },
  ]
}

function runningCommands(drive: Drive, does: DriveDoes): readonly ConsoleCommand[] {
  const { control, state } = drive
  const section = 'Drive'
  return [
    {
      id: 'drive.hold',
      title: 'Hold the system, or let it go',
      section,
      keys: ['P'],
      words: 'pause lock stop release',
      run: () => (state.hold ? control.release() : control.hold()),
    },
    {
      id: 'drive.step',
      title: 'While it is held: let the next event in',
      section,
      keys: ['N'],
      words: 'step one',
      ...(state.waiting.length === 0 && { disabled: 'nothing waits' }),
      run: () => control.step(),
    },
    {
      id: 'drive.break',
      title: 'Breakpoint where the selected event led',
      section,
      keys: ['B'],
      words: 'break hold stop',
      ...(!does.hasEvent && { disabled: 'no event is selected' }),
      run: does.breakHere,
    },
    {
      id: 'drive.realTime',
      title: 'Set the clock of the system to real time',
      section,
      words: 'speed',
      ...(state.speed === 1 && state.ahead === 0 && { disabled: 'it goes by real time' }),
      run: () => control.time.toReal(),
    },
    {
      id: 'drive.clearFaults',
      title: 'Clear the faults on this side',
      section,
      words: 'offline slow',
      ...(state.faults.length === 0 && { disabled: 'none is in force' }),
      run: () => state.faults.forEach(({ fault }) => control.faults.clear(fault.kind)),
    },
  ]
}
