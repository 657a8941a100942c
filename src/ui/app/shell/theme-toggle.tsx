// Button that switches between light, dark and system theme.
import { Monitor, Moon, Sun } from 'lucide-react'
import { IconButton } from '../../widgets/button.tsx'
import { setTheme, type Theme, useTheme } from '../theme.ts'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const ICONS: Readonly<Record<Theme, typeof Sun>> = { system: Monitor, light: Sun, dark: Moon }

/** Cycles through system, light and dark. */
export function ThemeToggle() {
  const theme = useTheme()
  const Icon = ICONS[theme]
  return (
    <IconButton
      label={`Theme: ${theme}. Switch to ${NEXT[theme]}`}
      text="Theme"
      onPress={() => setTheme(NEXT[theme])}
    >
      <Icon size={16} />
    </IconButton>
  )
}
