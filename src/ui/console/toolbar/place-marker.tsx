// Shows whether the end is followed or a past moment is shown, with a button back to the end.
import { History } from 'lucide-react'
import { memo } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import { Dot } from '../../widgets/pill.tsx'
import type { Selection } from '../model/selection.ts'
import type { Command } from '../place-commands.ts'
import { count, eventName } from '../text.ts'
import styles from './toolbar.module.css'

export interface PlaceMarkerProps {
  readonly selection: Selection
  readonly live: boolean
  readonly size: number
  readonly onCommand: (command: Command) => void
}

/** Shows `Live`, the end of a file, or `event 1,204 (not live)`. */
export function PlaceMarker({ selection, live, size, onCommand }: PlaceMarkerProps) {
  if (live && selection.following) {
    return (
      <span className={styles.live}>
        <Dot tone="ok" /> Live
      </span>
    )
  }
  const event = eventName(selection.at)
  const where = live || size === 0 ? event : `${event} of ${count(size - 1)}`
  return (
    <>
      <span className={selection.following ? styles.inFile : styles.past}>
        <History size={13} aria-hidden />
        {selection.following ? where : `${where} ${live ? '(not live)' : '(not at end)'}`}
      </span>
      {selection.following ? null : <ToEnd live={live} onCommand={onCommand} />}
    </>
  )
}

/** The same in every step, so that stepping does not rerender it. */
const ToEnd = memo(function ToEnd({ live, onCommand }: Pick<PlaceMarkerProps, 'live' | 'onCommand'>) {
  return (
    <Button size="s" onPress={() => onCommand('end')}>
      {live ? 'Live' : 'End'} <Kbd>L</Kbd>
    </Button>
  )
})
