// The notes of the shown trace as React state.
import { useCallback, useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react'
import { saveAs } from '../../widgets/save-as.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FileTrace } from '../model/file-trace.ts'
import { messageOf } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { createBookmarkStore } from './bookmark-store.ts'

/** Returns the notes and the outcome of the last save. `size` follows the loading of a file. */
export function useBookmarkStore(recording: ConsoleRecording, file: FileTrace | undefined) {
  const { timeline } = useConsole()
  const book = useMemo(() => createBookmarkStore(recording, file), [recording, file])
  const marks = useSyncExternalStore(timeline.subscribe, () => timeline.bookmarks)
  const refusal = useSyncExternalStore(timeline.subscribe, book.refusal)
  const list = useMemo(() => marks.toSorted((a, b) => a.step - b.step), [marks])
  const [, renew] = useReducer((count: number) => count + 1, 0)
  const [failure, setFailure] = useState<string>()
  const unsaved = book.unsaved()
  useEffect(() => {
    if (unsaved === 0) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  /** Resolves to whether the notes are saved in a file. */
  const save = useCallback(async () => {
    setFailure(undefined)
    try {
      const made = await book.save?.()
      if (!made) return false
      saveAs(made, made.name)
      book.saved()
      renew()
      return true
    } catch (error) {
      setFailure(messageOf(error))
      return false
    }
  }, [book])
  return { write: book.write, list, refusal, unsaved, failure, save }
}
