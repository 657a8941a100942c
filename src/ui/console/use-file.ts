// The opened file beside the live recording: opening, refusing, closing.
import { useCallback, useRef, useState } from 'react'
import { openTraceFile, type OpenedFile } from './trace-file.ts'

/** A file that is shown, being opened, or was refused; what was shown stays when one is refused. */
export interface FileState {
  readonly opened?: OpenedFile
  /** Name of the file that is being read. */
  readonly opening?: string
  readonly refused?: { readonly name: string; readonly message: string }
}

const keep = ({ opened }: FileState): FileState => (opened ? { opened } : {})

/** The file and what can be done with it. `onShown` is called when another source comes into view. */
export function useFile(onShown: () => void) {
  const [state, setState] = useState<FileState>({})
  const latest = useRef(0)
  const open = useCallback(
    (file: File) => {
      latest.current += 1
      const turn = latest.current
      setState(now => ({ ...keep(now), opening: file.name }))
      void openTraceFile(file).then(result => {
        if (turn !== latest.current) return
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
      latest.current += 1
      setState({})
      onShown()
    },
    dismiss: () => setState(keep),
  }
}
