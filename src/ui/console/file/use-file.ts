// The opened file beside the live recording: opening, refusing, closing.
import { useCallback, useEffect, useRef, useState } from 'react'
import { openFileTrace, type FileTrace } from '../model/file-trace.ts'

/** A file that is shown, being opened, or was refused; what was shown stays when one is refused. */
export interface FileState {
  readonly opened?: FileTrace
  /** The file of which nothing is there yet. */
  readonly opening?: { readonly name: string }
  readonly refused?: { readonly name: string; readonly message: string }
}

/** Goes on, at once or when that was agreed to; where it was not, `stay` is called. */
export type Leave = (go: () => void, stay?: () => void) => void

const keep = ({ opened }: FileState): FileState => (opened ? { opened } : {})

/** The file and what can be done with it. `onShown` is called when another source comes into view. */
export function useFile(onShown: () => void) {
  const [state, setState] = useState<FileState>({})
  /** Ends the thread of the file that is shown, and of the one that is to come. */
  const shown = useRef<AbortController>(undefined)
  const coming = useRef<AbortController>(undefined)
  const asked = useRef<Leave>(undefined)
  /** Has this asked before the shown file is left; returns what ends that. */
  const askFirst = useCallback((leave: Leave) => {
    asked.current = leave
    return () => void (asked.current = undefined)
  }, [])
  const mayLeave = useCallback<Leave>((go, stay) => (asked.current ? asked.current(go, stay) : go()), [])
  useEffect(
    () => () => {
      shown.current?.abort()
      coming.current?.abort()
    },
    [],
  )
  const begin = useCallback(
    (file: File) => {
      const { name } = file
      coming.current?.abort()
      const turn = (coming.current = new AbortController())
      setState(now => ({ ...keep(now), opening: { name } }))
      const onBroken = (message: string) => setState(now => ({ ...now, refused: { name, message } }))
      void openFileTrace(file, { signal: turn.signal, onBroken }).then(result => {
        if (turn.signal.aborted) return
        if (result.kind === 'refused') {
          turn.abort()
          return setState(now => ({ ...keep(now), refused: result }))
        }
        shown.current?.abort()
        shown.current = turn
        coming.current = undefined
        setState({ opened: result.file })
        onShown()
      })
    },
    [onShown],
  )
  const open = useCallback((file: File) => mayLeave(() => begin(file)), [mayLeave, begin])
  const end = useCallback(() => {
    shown.current?.abort()
    coming.current?.abort()
    setState({})
    onShown()
  }, [onShown])
  return {
    ...state,
    askFirst,
    mayLeave,
    open,
    close: useCallback(() => mayLeave(end), [mayLeave, end]),
    /** Gives up a file that is to come; what is shown stays. */
    cancel: () => {
      coming.current?.abort()
      setState(keep)
    },
    dismiss: () => setState(keep),
  }
}
