// A thumb on the minimap: a slider for the keyboard and for screen readers.
import type { KeyboardEvent } from 'react'
import { cx } from '../../widgets/cx.ts'
import styles from './minimap.module.css'

export interface ThumbProps {
  readonly label: string
  readonly kind: 'moment' | 'live' | 'end'
  /** Distance from the left, in pixels. */
  readonly x: number
  readonly value: number
  readonly max: number
  /** Text of the value. */
  readonly text: string
  /** Called on arrow keys; `far` with Shift or Page keys. */
  readonly onStep: (direction: 1 | -1, far: boolean) => void
  readonly onEdge: (edge: 'first' | 'last') => void
  readonly onEscape?: () => void
}

export function Thumb({ label, kind, x, value, max, text, onStep, onEdge, onEscape }: ThumbProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const act = ACTS[event.key]
    if (event.key === 'Escape' && onEscape) onEscape()
    else if (act === 'first' || act === 'last') onEdge(act)
    else if (act !== undefined) onStep(act, event.shiftKey || event.key.startsWith('Page'))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={text}
      className={cx(styles.thumb, styles[kind])}
      style={{ transform: `translateX(${x}px)` }}
      onKeyDown={onKeyDown}
    />
  )
}

const ACTS: Readonly<Record<string, 1 | -1 | 'first' | 'last'>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageDown: -1,
  Home: 'first',
  End: 'last',
}
