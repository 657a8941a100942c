// Files dropped onto the console.
import { useRef, useState, type DragEvent } from 'react'

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
