// The saved queries of the connection as state; other tabs see what one of them saves.
import { useCallback, useEffect, useState } from 'react'
import { useClient } from '../../../react.ts'
import { readSaved, writeSaved, type SavedQuery } from './saved-queries.ts'

/** Storage tells other tabs alone. */
const CHANGED = 'chartroom.queries'

/** The queries, and what changes them; false where that could not be kept. */
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
      // As it is stored now: another tab may have added to it.
      const isKept = writeSaved(url, next(readSaved(url)))
      window.dispatchEvent(new Event(CHANGED))
      return isKept
    },
    [url],
  )
  return [saved, change] as const
}
