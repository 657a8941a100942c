// Commands on the running system, for keys and the palette.
import type { ConsoleCommand } from '../commands/command.ts'
import type { Drive } from './use-drive.ts'

export interface DriveHandlers {
  /** Opens or closes the panel. */
  readonly panel: () => void
  readonly breakHere: () => void
  readonly branchHere: () => void
  /** Whether there is an event to set a breakpoint on. */
  readonly hasEvent: boolean
}

/** Returns no commands if nothing can be controlled and no file can be branched from. */
export function driveCommands(
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
