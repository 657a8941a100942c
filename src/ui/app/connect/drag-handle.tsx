// Drag handle of a saved backend, for pointer and arrow keys.
import { GripVertical } from 'lucide-react'
import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import styles from './connect.module.css'

export interface DragHandleProps {
  readonly name: string
  /** Index in the list. */
  readonly at: number
  readonly onMove: (to: number) => void
}

/** Index of the line under the pointer. */
const placeUnder = ({ clientX, clientY }: PointerEvent): number | undefined => {
  const line = document.elementFromPoint(clientX, clientY)?.closest('[data-place]')
  return line ? Number(line.getAttribute('data-place')) : undefined
}

export function DragHandle({ name, at, onMove }: DragHandleProps) {
  const isHeld = useRef(false)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(Math.max(0, at + by))
  }
  const onPointerMove = (event: PointerEvent) => {
    const to = isHeld.current ? placeUnder(event) : undefined
    if (to !== undefined && to !== at) onMove(to)
  }
  return (
    <button
      type="button"
      className={styles.grip}
      aria-label={`Move ${name}`}
      title="Drag, or use the arrow keys"
      onKeyDown={onKeyDown}
      onPointerDown={event => {
        isHeld.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => {
        isHeld.current = false
      }}
    >
      <GripVertical size={14} aria-hidden />
    </button>
  )
}
