// Provides the notes of the shown trace and their commands, and asks before unsaved notes in a file are lost.
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FileTrace } from '../model/file-trace.ts'
import { plural } from '../text.ts'
import type { Leave } from '../file/use-file.ts'
import { PanelContext } from './panel-state.ts'
import { useBookmarkStore } from './use-bookmark-store.ts'
import { useBookmarkCommands } from './use-bookmark-commands.ts'
import { BookmarksContext, type Bookmarks } from './use-bookmarks.ts'

export interface BookmarksProviderProps {
  readonly recording: ConsoleRecording
  /** The file shown instead of the recording. */
  readonly file: FileTrace | undefined
  /** Registers a question to ask before the shown file is left; returns a function to unregister it. */
  readonly askFirst: (leave: Leave) => () => void
  readonly children: ReactNode
}

export function BookmarksProvider({ recording, file, askFirst, children }: BookmarksProviderProps) {
  const book = useBookmarkStore(recording, file)
  const { write, list, refusal, unsaved, save, failure } = book
  const [isOpen, setOpen] = useOpen()
  const [draft, setDraft] = useState<number>()
  const value = useMemo<Bookmarks>(() => {
    const add = (seq: number, note: string) => write(note.trim(), seq)
    return {
      list,
      refusal,
      unsaved,
      add,
      edit: add,
      remove: seq => write('', seq),
      write: seq => {
        setDraft(seq)
        setOpen(true)
      },
      save: () => void save(),
    }
  }, [list, refusal, unsaved, write, save, setOpen])
  useBookmarkCommands(value, setOpen)
  const panel = useMemo(
    () => ({ isOpen, setOpen, draft, setDraft, failure }),
    [isOpen, setOpen, draft, failure],
  )
  return (
    <BookmarksContext value={value}>
      <PanelContext value={panel}>
        {children}
        <Leaving askFirst={askFirst} unsaved={unsaved} save={save} />
      </PanelContext>
    </BookmarksContext>
  )
}

/** When the panel closes, the focus returns to where it was when the panel was opened. */
function useOpen(): readonly [boolean, (isOpen: boolean) => void] {
  const [isOpen, set] = useState(false)
  const before = useRef<Element>(null)
  const setOpen = useCallback((open: boolean) => {
    if (open) before.current = document.activeElement
    set(open)
    if (open) return
    const { current } = before
    requestAnimationFrame(() => {
      const isNowhere = document.activeElement === document.body
      if (isNowhere && current instanceof HTMLElement) current.focus()
    })
  }, [])
  return [isOpen, setOpen]
}

interface LeavingProps {
  readonly askFirst: BookmarksProviderProps['askFirst']
  readonly unsaved: number
  readonly save: () => Promise<boolean>
}

/** The confirmation dialog; shown only if notes would be lost. */
function Leaving({ askFirst, unsaved, save }: LeavingProps) {
  const [then, setThen] = useState<{ readonly go: () => void; readonly stay: (() => void) | undefined }>()
  useEffect(() => askFirst((go, stay) => (unsaved === 0 ? go() : setThen({ go, stay }))), [askFirst, unsaved])
  const close = () => {
    setThen(undefined)
    then?.stay?.()
  }
  const go = () => {
    setThen(undefined)
    then?.go()
  }
  return (
    <Dialog title="Unsaved notes" role="alertdialog" isOpen={then !== undefined} onClose={close}>
      <p>{plural(unsaved, 'note')} in this file will be lost. The file on disk has not changed.</p>
      <DialogActions>
        <Button variant="quiet" onPress={close}>
          Cancel
        </Button>
        <Button onPress={go}>Leave without saving</Button>
        <Button variant="primary" onPress={() => void save().then(isSaved => (isSaved ? go() : close()))}>
          Save with notes
        </Button>
      </DialogActions>
    </Dialog>
  )
}
