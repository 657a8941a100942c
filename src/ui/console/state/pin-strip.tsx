// Pinned values above the inspector, with their history and links to their changes.
import { useConsole } from '../use-console.ts'
import { pinOf } from '../model/pins.ts'
import { PinRow } from './pin-row.tsx'
import styles from './pins.module.css'

export function PinStrip({ onWhen }: { readonly onWhen: (actor: number, pointer: string) => void }) {
  const { place, timeline, go } = useConsole()
  if (place.pins.length === 0) return null
  return (
    <ul className={styles.strip} aria-label="Pinned values">
      {place.pins.map(text => {
        const pin = pinOf(text)
        const entry = pin && timeline.actors.findLast(({ path }) => path === pin.actor)
        const unpin = () => go({ type: 'pin', pin: text, isPinned: false })
        return pin ? (
          <PinRow key={text} pin={pin} actor={entry?.index ?? -1} onUnpin={unpin} onWhen={onWhen} />
        ) : null
      })}
    </ul>
  )
}
