// Palette commands for the light, dark and system theme.
import { use, useMemo } from 'react'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { ThemeContext } from '../theme-context.ts'
import type { Theme } from '../theme.ts'

const TITLES: Readonly<Record<Theme, string>> = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
}

/** Registers a command for each theme; the current one is disabled. */
export function ThemeCommands() {
  const [theme, setTheme] = use(ThemeContext)
  const commands = useMemo<readonly AppCommand[]>(
    () =>
      (['system', 'light', 'dark'] as const).map(each => ({
        id: `theme.${each}`,
        title: TITLES[each],
        section: 'View',
        words: 'colors appearance mode',
        ...(each === theme && { disabled: 'current' }),
        run: () => setTheme(each),
      })),
    [theme, setTheme],
  )
  useAppCommands(commands)
  return null
}
