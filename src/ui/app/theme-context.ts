// Context with the theme and its setter.
import { createContext } from 'react'
import type { Theme } from './theme.ts'

export const ThemeContext = createContext<readonly [Theme, (theme: Theme) => void]>([
  'system',
  () => undefined,
])
