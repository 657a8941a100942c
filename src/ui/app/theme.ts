// Light, dark or system theme; stored in the browser and applied to the document.
import { useEffect, useState, createContext } from 'react'
import { picklist } from 'valibot'
import { readSetting, writeSetting } from '../../services/workbench/storage/index.ts'

export type Theme = 'system' | 'light' | 'dark'

const themeSchema = picklist(['system', 'light', 'dark'])

/** Returns the chosen theme and its setter. */
export const useTheme = (): readonly [Theme, (theme: Theme) => void] => {
  const [theme, setTheme] = useState<Theme>(() => readSetting('theme', themeSchema, 'system'))
  useEffect(() => {
    writeSetting('theme', theme)
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
  return [theme, setTheme]
}

export const ThemeContext = createContext<readonly [Theme, (theme: Theme) => void]>([
  'system',
  () => undefined,
])
