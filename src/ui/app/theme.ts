// Light, dark or as the system has it; kept in the browser and set on the document.
import { useEffect, useState } from 'react'
import { picklist } from 'valibot'
import { readSetting, writeSetting } from './local-store.ts'

export type Theme = 'system' | 'light' | 'dark'

const themeSchema = picklist(['system', 'light', 'dark'])

/** The chosen theme and its setter. */
export const useTheme = (): readonly [Theme, (theme: Theme) => void] => {
  const [theme, setTheme] = useState<Theme>(() => readSetting('theme', themeSchema, 'system'))
  useEffect(() => {
    writeSetting('theme', theme)
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
  return [theme, setTheme]
}
