// The legend of the overview: what its colors and marks mean.
import { Info } from 'lucide-react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { ToolButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import styles from './legend.module.css'

const STATES = [
  ['fine', 'Working state'],
  ['waits', 'Waits for something'],
  ['stale', 'Shows old data'],
  ['failed', 'Failed state'],
  ['idle', 'Idle'],
] as const

const MARKS = [
  ['failure', 'Failed event'],
  ['injected', 'Event caused by a fault'],
  ['check', 'Failed check (full height)'],
  ['bookmark', 'Bookmark'],
  ['gap', 'Lost records'],
] as const

/** A button at the end of the overview. */
export function OverviewLegend() {
  return (
    // The overview itself selects moments and ranges.
    <span className={styles.place} onPointerDown={event => event.stopPropagation()}>
      <DialogTrigger>
        <ToolButton icon={Info} iconSize={12} label="Legend of the overview" />
        <Popover placement="bottom end" className={cx(menu.menu)}>
          <Dialog aria-label="Legend of the overview" className={cx(styles.legend)}>
            <p>One strip for each family of actors, in the family’s color:</p>
            <Swatches list={STATES} />
            <p>Below them the number of events, and marks:</p>
            <Swatches list={MARKS} />
            <p>Drag to select a range; click to go to a moment.</p>
          </Dialog>
        </Popover>
      </DialogTrigger>
    </span>
  )
}

function Swatches({ list }: { readonly list: readonly (readonly [kind: string, text: string])[] }) {
  return (
    <ul>
      {list.map(([kind, text]) => (
        <li key={kind}>
          <i aria-hidden className={cx(styles.swatch, styles[kind])} />
          {text}
        </li>
      ))}
    </ul>
  )
}
