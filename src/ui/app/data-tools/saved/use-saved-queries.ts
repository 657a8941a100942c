// Saved queries of the connection as state, synchronized across tabs.
import { useCallback, useEffect, useState } from 'react'
import { useClient } from '../../../react/index.ts'
import { readSaved, type SavedQuery, writeSaved } from '../../../../services/workbench/table/index.ts'

/** `storage` events reach only other tabs. */
const CHANGED = 'chartroom.queries'

/** The queries and the functions that change them; these return false if storing failed. */
export function useSavedQueries() {
  const { url } = useClient()
  const [saved, setSaved] = useState(() => readSaved(url))
  useEffect(() => {
    const read = () => setSaved(readSaved(url))
    window.addEventListener('storage', read)
    window.addEventListener(CHANGED, read)
    return () => {
      window.removeEventListener('storage', read)
      window.removeEventListener(CHANGED, read)
    }
  }, [url])
  const change = useCallback(
    (next: (before: readonly SavedQuery[]) => readonly SavedQuery[]) => {
      // Read the stored version: another tab may have added to it.
      const isKept = writeSaved(url, next(readSaved(url)))
      window.dispatchEvent(new Event(CHANGED))
      return isKept
    },
    [url],
  )
  return [saved, change] as const
}
