// The zone of all times that the app shows, and the commands that choose it.
import { useMemo, useSyncExternalStore } from 'react'
import { isUtc, localZone, onTimeZone, showUtc, timeZone } from '../../services/workbench/text/index.ts'
import type { AppCommand } from './commands/app-command.ts'
import { useAppCommands } from './commands/use-app-commands.ts'

/** The preferred zone, as `Europe/Berlin`. A component that shows times renders again when it changes. */
export const useTimeZone = (): string => useSyncExternalStore(onTimeZone, timeZone)

/** A zone to choose; in a browser whose own zone is UTC there is only one. */
export interface ZoneChoice {
  /** `Times in UTC`. */
  readonly title: string
  readonly isOn: boolean
  readonly choose: () => void
}

/** The zones to choose from; none if there is no choice. */
export function zoneChoices(): readonly ZoneChoice[] {
  const local = localZone()
  if (/^(?:Etc\/)?(?:UTC|GMT)$/.test(local)) return []
  return [
    { title: `Times in ${local}`, isOn: !isUtc(), choose: () => showUtc(false) },
    { title: 'Times in UTC', isOn: isUtc(), choose: () => showUtc(true) },
  ]
}

/** Registers a command for each zone; the current one is disabled. */
export function useTimeZoneCommands(): void {
  const zone = useTimeZone()
  const commands = useMemo<readonly AppCommand[]>(
    () =>
      zoneChoices().map(({ title, choose }) => ({
        id: `times.${title}`,
        title,
        section: 'View',
        words: 'time zone utc local clock timestamps',
        ...(title === `Times in ${zone}` && { disabled: 'current' }),
        run: choose,
      })),
    [zone],
  )
  useAppCommands(commands)
}
