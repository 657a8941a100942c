// Light, dark or as the system has it, by palette.
import { use, useMemo } from 'react'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { ThemeContext } from '../theme-context.ts'
import type { Theme } from '../theme.ts'

const TITLES: Readonly<Record<Theme, string>> = {
  system: 'Theme: as the system has it',
  light: 'Theme: light',
  dark: 'Theme: dark',
}

/** Offers the themes that are not in use. */
export function ThemeCommands() {
  const [theme, setTheme] = use(ThemeContext)
  const commands = useMemo<readonly AppCommand[]>(
    () =>
      (['system', 'light', 'dark'] as const).map(each => ({
        id: `theme.${each}`,
        title: TITLES[each],
        section: 'View',
        words: 'colours appearance mode',
        ...(each === theme && { disabled: 'in use' }),
        run: () => setTheme(each),
      })),
    [theme, setTheme],
  )
  useAppCommands(commands)
  return null
}
