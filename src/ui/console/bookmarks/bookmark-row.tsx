// One bookmark: selects its event; its note can be changed or removed.
import { Pencil, Trash2 } from 'lucide-react'
import { IconButton } from '../../widgets/button.tsx'
import { clockTime, count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import styles from './bookmarks.module.css'

export interface BookmarkRowProps {
  readonly seq: number
  readonly note: string
  /** Whether its event is selected. */
  readonly isHere: boolean
  /** Whether bookmarks are read-only. */
  readonly isFixed: boolean
  readonly onShow: () => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

export function BookmarkRow({ seq, note, isHere, isFixed, onShow, onEdit, onRemove }: BookmarkRowProps) {
  const { timeline } = useConsole()
  const isThere = seq < timeline.size
  const path = isThere ? timeline.actors[timeline.actor(seq)]?.path : undefined
  return (
    <li className={styles.row} data-here={isHere || undefined}>
      <button type="button" className={styles.show} disabled={!isThere} onClick={onShow}>
        <span className={styles.note}>{note}</span>
        <span className={styles.where}>
          #{count(seq)}
          {isThere ? ` · ${clockTime(timeline.t(seq))} · ${timeline.type(seq)}` : ' · not loaded yet'}
          {path === undefined ? '' : ` · ${path}`}
        </span>
      </button>
      <IconButton size="s" label={`Change: ${note}`} noTooltip isDisabled={isFixed} onPress={onEdit}>
        <Pencil size={13} aria-hidden />
      </IconButton>
      <IconButton size="s" label={`Remove: ${note}`} noTooltip isDisabled={isFixed} onPress={onRemove}>
        <Trash2 size={13} aria-hidden />
      </IconButton>
    </li>
  )
}
