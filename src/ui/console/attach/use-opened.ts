// Opens a file that the console's host passes in.
import { useEffect } from 'react'

/** Files already opened: entering or leaving a sandbox must not open them again. */
const opened = new WeakSet<File>()

export function useOpened(wanted: File | undefined, open: (file: File) => void): void {
  useEffect(() => {
    if (!wanted || opened.has(wanted)) return
    opened.add(wanted)
    open(wanted)
  }, [wanted, open])
}
