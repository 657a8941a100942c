// The shown entries of a folder, their order and the selection.
import { useCallback, useMemo, useState } from 'react'
import {
  type FileEntry,
  type FileSort,
  findEntries,
  sortEntries,
} from '../../../../services/workbench/files/index.ts'

const NOTHING: ReadonlySet<string> = new Set()
const BY_NAME: FileSort = { by: 'name', dir: 'asc' }

/** A selection belongs to one folder: give this component a key per folder. */
export function useShown(entries: readonly FileEntry[]) {
  const [sort, setSort] = useState(BY_NAME)
  const [find, setFind] = useState('')
  const [names, setNames] = useState(NOTHING)
  const shown = useMemo(() => sortEntries(findEntries(entries, find), sort), [entries, find, sort])
  // Entries that are gone or filtered out are not selected.
  const chosen = useMemo(() => shown.filter(({ name }) => names.has(name)), [shown, names])
  const chosenNames = useMemo(() => new Set(chosen.map(({ name }) => name)), [chosen])
  const clear = useCallback(() => setNames(NOTHING), [])
  return { shown, sort, setSort, find, setFind, chosen, chosenNames, choose: setNames, clear }
}
