// State of the opened file: opening, rejecting, closing.
import { useCallback, useEffect, useRef, useState } from 'react'
import { openFileTrace, type FileTrace } from '../model/file-trace.ts'

/** A file that is shown, loading, or was rejected; a rejected file does not replace the shown one. */
export interface FileState {
  readonly opened?: FileTrace
  /** The file being opened, before any of it is loaded. */
  readonly opening?: { readonly name: string }
  readonly refused?: { readonly name: string; readonly message: string }
}

/** Calls `go` immediately or after the user agrees; calls `stay` if the user declines. */
export type Leave = (go: () => void, stay?: () => void) => void

const keep = ({ opened }: FileState): FileState => (opened ? { opened } : {})

/** Returns the file and its actions. `onShown` is called when another source is shown. */
export function useFile(onShown: () => void) {
  const [state, setState] = useState<FileState>({})
  /** Ends the workers of the shown file and of the one being opened. */
  const shown = useRef<AbortController>(undefined)
  const coming = useRef<AbortController>(undefined)
  const asked = useRef<Leave>(undefined)
  /** Registers a question to ask before the shown file is left; returns a function to unregister it. */
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
    /** Cancels a file that is being opened; the shown one stays. */
    cancel: () => {
      coming.current?.abort()
      setState(keep)
    },
    dismiss: () => setState(keep),
  }
}
