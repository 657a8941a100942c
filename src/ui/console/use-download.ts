// Saves the recording as a file and remembers up to where it was saved.
import { useState } from 'react'
import type { Recording } from '../../services/client-types.ts'
import { messageOf } from './text.ts'

/** The save action, what went wrong with it, and the version of the trace that was saved last. */
export function useDownload(recording: Recording) {
  const [savedVersion, setSavedVersion] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const save = () => {
    const version = recording.trace.version()
    setFailure(undefined)
    recording.download().then(
      blob => {
        offer(blob, fileName(recording))
        setSavedVersion(version)
      },
      (error: unknown) => setFailure(messageOf(error)),
    )
  }
  return { save, savedVersion, failure }
}

const fileName = ({ trace }: Recording): string =>
  `${trace.header.system}-${trace.header.startedAt.slice(0, 19).replace(/[:T]/g, '-')}.trace.gz`

function offer(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revoking at once can cancel the download in some browsers; the next frame is late enough.
  requestAnimationFrame(() => URL.revokeObjectURL(url))
}
