// The theme and its setter, for the switch in the bar.
import { createContext } from 'react'
import type { Theme } from './theme.ts'

export const ThemeContext = createContext<readonly [Theme, (theme: Theme) => void]>([
  'system',
  () => undefined,
])
