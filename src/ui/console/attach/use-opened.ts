// Opens a file that the console's host wants to be looked at.
import { useEffect } from 'react'

/** Those that were opened: a sandbox over them, or the end of it, must not open them again. */
const opened = new WeakSet<File>()

export function useOpened(wanted: File | undefined, open: (file: File) => void): void {
  useEffect(() => {
    if (!wanted || opened.has(wanted)) return
    opened.add(wanted)
    open(wanted)
  }, [wanted, open])
}
