// Which entries of a folder are shown and in which order, and which of them are chosen.
import { useCallback, useMemo, useState } from 'react'
import { findEntries, sortEntries, type FileEntry, type FileSort } from '../listing.ts'

const NOTHING: ReadonlySet<string> = new Set()
const BY_NAME: FileSort = { by: 'name', dir: 'asc' }

/** What was chosen in one folder says nothing in another: give this a key for each folder. */
export function useShown(entries: readonly FileEntry[]) {
  const [sort, setSort] = useState(BY_NAME)
  const [find, setFind] = useState('')
  const [names, setNames] = useState(NOTHING)
  const shown = useMemo(() => sortEntries(findEntries(entries, find), sort), [entries, find, sort])
  // What is gone, or not found any more, is not chosen either.
  const chosen = useMemo(() => shown.filter(({ name }) => names.has(name)), [shown, names])
  const chosenNames = useMemo(() => new Set(chosen.map(({ name }) => name)), [chosen])
  const clear = useCallback(() => setNames(NOTHING), [])
  return { shown, sort, setSort, find, setFind, chosen, chosenNames, choose: setNames, clear }
}
