// Light, dark or system theme; stored in the browser and applied to the document.
import { useEffect, useSyncExternalStore } from 'react'
import { picklist } from 'valibot'
import { Listeners } from '../../trace/index.ts'
import { readSetting, writeSetting } from '../../services/workbench/storage/index.ts'

export type Theme = 'system' | 'light' | 'dark'

const themeSchema = picklist(['system', 'light', 'dark'])
const listeners = new Listeners()
let theme: Theme | undefined

const current = (): Theme => (theme ??= readSetting('theme', themeSchema, 'system'))

export function setTheme(next: Theme): void {
  theme = next
  writeSetting('theme', next)
  listeners.notify()
}

/** Returns the chosen theme. */
export const useTheme = (): Theme => useSyncExternalStore(listeners.subscribe, current)

/** Returns the chosen theme, and applies it to the document. */
export function useAppliedTheme(): Theme {
  const shown = useTheme()
  useEffect(() => {
    if (shown === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = shown
  }, [shown])
  return shown
}
