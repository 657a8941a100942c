// Files in the console: opened, rejected, closed and dropped, and the recording saved as one.
import { useCallback, useEffect, useRef, useState, type DragEvent } from 'react'
import { openFileTrace, type FileTrace } from '../model/file-trace.ts'
import type { TraceSource } from '../../../trace/index.ts'
import { saveAs } from '../../widgets/save-as.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import { messageOf, traceFileName } from '../text.ts'

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

/** Returns the file and its actions. `onShown` is called when another source is shown: a file, or the recording. */
export function useFile(onShown: (file?: File) => void) {
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
        onShown(file)
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

/** Handles files dropped onto the console. */
export function useFileDrop(open: (file: File) => void) {
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  const enter = (by: 1 | -1) => {
    depth.current += by
    setOver(depth.current > 0)
  }
  const hasFile = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const handlers = {
    onDragEnter: (event: DragEvent) => hasFile(event) && enter(1),
    onDragLeave: (event: DragEvent) => hasFile(event) && enter(-1),
    onDragOver: (event: DragEvent) => hasFile(event) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      depth.current = 0
      setOver(false)
      const [file] = event.dataTransfer.files
      if (file) open(file)
    },
  }
  return { over, handlers }
}

/** Returns the save action, its error, and whether the trace's present state is saved. */
export function useDownload(recording: ConsoleRecording) {
  const saved = useRef<{ trace: TraceSource; version: number }>(undefined)
  const [failure, setFailure] = useState<string>()
  const save = useCallback(() => {
    const trace = recording.trace
    const version = trace.version()
    setFailure(undefined)
    recording.download().then(
      blob => {
        saveAs(blob, traceFileName(trace.header))
        saved.current = { trace, version }
      },
      (error: unknown) => setFailure(messageOf(error)),
    )
  }, [recording])
  const isSaved = useCallback(
    () => saved.current?.trace === recording.trace && saved.current.version === recording.trace.version(),
    [recording],
  )
  return { save, isSaved, failure }
}

/** Files already opened: entering or leaving a sandbox must not open them again. */
const opened = new WeakSet<File>()

export function useOpened(wanted: File | undefined, open: (file: File) => void): void {
  useEffect(() => {
    if (!wanted || opened.has(wanted)) return
    opened.add(wanted)
    open(wanted)
  }, [wanted, open])
}
