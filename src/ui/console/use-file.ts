// The opened file beside the live recording: opening, refusing, closing.
import { useCallback, useEffect, useRef, useState } from 'react'
import { openTraceFile, type OpenedFile } from './trace-file.ts'

/** A file that is shown, being opened, or was refused; what was shown stays when one is refused. */
export interface FileState {
  readonly opened?: OpenedFile
  /** The file that is being read, and how much of it is there once that can be told, from 0 to 1. */
  readonly opening?: { readonly name: string; readonly share?: number }
  readonly refused?: { readonly name: string; readonly message: string }
}

const keep = ({ opened }: FileState): FileState => (opened ? { opened } : {})

/** The file and what can be done with it. `onShown` is called when another source comes into view. */
export function useFile(onShown: () => void) {
  const [state, setState] = useState<FileState>({})
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])
  const open = useCallback(
    (file: File) => {
      const { name } = file
      reading.current?.abort()
      const turn = (reading.current = new AbortController())
      setState(now => ({ ...keep(now), opening: { name } }))
      const onShare = (share: number) => {
        const whole = Math.floor(share * 100) / 100
        setState(now =>
          now.opening?.share === whole ? now : { ...keep(now), opening: { name, share: whole } },
        )
      }
      void openTraceFile(file, { signal: turn.signal, onShare }).then(result => {
        if (turn.signal.aborted) return
        if (result.kind === 'refused') return setState(now => ({ ...keep(now), refused: result }))
        setState({ opened: result.file })
        onShown()
      })
    },
    [onShown],
  )
  return {
    ...state,
    open,
    close: () => {
      reading.current?.abort()
      setState({})
      onShown()
    },
    /** Ends the reading of a file; what is shown stays. */
    cancel: () => {
      reading.current?.abort()
      setState(keep)
    },
    dismiss: () => setState(keep),
  }
}
