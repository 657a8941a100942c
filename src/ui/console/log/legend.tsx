// How to read the console, in five lines: shown until it is dismissed once, and on the sheet of shortcuts.
import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import { START } from '../model/place.ts'
import { useConsole } from '../use-console.ts'
import { isLegendDismissed, storeLegendDismissed } from '../stored-layout.ts'
import styles from './legend.module.css'

const LINES = [
  ['Row', 'an event that an actor received, and the state that it led to.'],
  ['Color', 'actors of one color belong together; red with “!” is a failure.'],
  ['→ 4 steps', 'what carried the event out is folded into it: click it, or press → and ←.'],
  ['Dot in a chart', 'where a machine starts; the filled state is where it is.'],
  ['Cause', 'why the selected event happened; Why? next to a problem in the app opens it.'],
] as const

/** The same element in each render. */
export const LEGEND_LINES = (
  <ul aria-label="Legend" className={styles.lines}>
    {LINES.map(([name, text]) => (
      <li key={name}>
        <b>{name}</b>: {text}
      </li>
    ))}
  </ul>
)

/**
 * Nothing once the user has dismissed it in this browser, and in a console that opens at an event, an actor or a tab:
 * its room belongs to what the user asked for.
 */
export function Legend() {
  const { seq, actor, layout } = useConsole().place
  const [isShown, setShown] = useState(
    () =>
      !isLegendDismissed() &&
      seq === undefined &&
      actor === undefined &&
      layout.center === START.layout.center,
  )
  if (!isShown) return null
  const dismiss = () => {
    storeLegendDismissed()
    setShown(false)
  }
  return (
    <div role="note" aria-label="How to read the console" className={styles.legend}>
      {LEGEND_LINES}
      <IconButton label="Dismiss the legend" size="s" onPress={dismiss}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
