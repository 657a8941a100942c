// Saves the recording as a file and tracks what was saved.
import { useCallback, useRef, useState } from 'react'
import type { TraceSource } from '../../../trace/index.ts'
import { saveAs } from '../../widgets/save-as.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import { messageOf } from '../text.ts'

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
        saveAs(blob, fileName(trace))
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

const fileName = ({ header }: TraceSource): string =>
  `${header.system}-${header.startedAt.slice(0, 19).replace(/[:T]/g, '-')}.trace.gz`
