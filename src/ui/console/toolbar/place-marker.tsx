// Says whether the end is followed or a moment of the past is looked at, and leads back.
import { History } from 'lucide-react'
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

/** `Live`, the end of a file, or `PAST · event 1,204`. */
export function PlaceMarker({ selection, live, size, onCommand }: PlaceMarkerProps) {
  if (live && selection.following) {
    return (
      <span className={styles.live} role="status">
        <Dot tone="ok" /> Live
      </span>
    )
  }
  const event = eventName(selection.at)
  const where = live || size === 0 ? event : `${event} of ${count(size - 1)}`
  return (
    <>
      <span className={selection.following ? styles.inFile : styles.past} role="status">
        <History size={13} aria-hidden />
        {selection.following ? where : `PAST · ${where}`}
      </span>
      {selection.following ? null : (
        <Button size="s" onPress={() => onCommand('end')}>
          {live ? 'Live' : 'End'} <Kbd>L</Kbd>
        </Button>
      )}
    </>
  )
}
