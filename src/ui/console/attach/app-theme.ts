// Applies the app's light or dark theme to the console window and follows changes.
import { useEffect } from 'react'

/** Storage key of the app's theme. */
const THEME = 'chartroom.ui.theme'

/** Sets the app's theme on the document. */
export function useAppTheme(): void {
  useEffect(() => {
    const apply = () => {
      const theme = storedTheme()
      if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
      else delete document.documentElement.dataset['theme']
    }
    apply()
    const onChange = ({ key }: StorageEvent) => key === THEME && apply()
    window.addEventListener('storage', onChange)
    return () => window.removeEventListener('storage', onChange)
  }, [])
}

function storedTheme(): unknown {
  try {
    return JSON.parse(globalThis.localStorage.getItem(THEME) ?? 'null')
  } catch {
    return undefined
  }
}
