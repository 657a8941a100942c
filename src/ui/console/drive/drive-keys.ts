// The keys with which the system is driven, beside those of the console.

export type DriveCommand = 'hold' | 'letOne' | 'break' | 'drive'

/** In the order of the key sheet. */
export const DRIVE_KEYS: readonly {
  readonly command: DriveCommand
  readonly key: string
  readonly text: string
}[] = [
  { command: 'hold', key: 'P', text: 'Hold the system, or let it go' },
  { command: 'letOne', key: 'N', text: 'While it is held: let the next event in' },
  { command: 'break', key: 'B', text: 'Breakpoint where the selected event led' },
  { command: 'drive', key: 'I', text: 'Open or close what drives the system' },
]

interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** The command of a key press; none with a modifier. */
export function driveCommandOf(press: KeyPress): DriveCommand | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return undefined
  return DRIVE_KEYS.find(({ key }) => key === press.key.toUpperCase())?.command
}
