// The button that opens the bookmarks, and the panel below it.
import { Bookmark } from 'lucide-react'
import { useRef } from 'react'
import { Dialog, Popover } from 'react-aria-components'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { plural } from '../text.ts'
import popover from '../../widgets/popover.module.css'
import styles from './bookmarks.module.css'
import { BookmarksPanel } from './bookmarks-panel.tsx'
import { usePanelState } from './panel-state.ts'
import { useBookmarks } from './use-bookmarks.ts'

/** Toolbar button with the number of bookmarks. */
export function BookmarksButton() {
  const { list, unsaved } = useBookmarks()
  const { isOpen, setOpen, setDraft } = usePanelState()
  const anchor = useRef<HTMLSpanElement>(null)
  const close = (open: boolean) => {
    setOpen(open)
    if (!open) setDraft(undefined)
  }
  const about = list.length === 0 ? 'Bookmarks' : plural(list.length, 'bookmark')
  return (
    <span ref={anchor} className={styles.anchor}>
      <IconButton
        size="s"
        label={unsaved === 0 ? about : `${about}, ${plural(unsaved, 'note')} not saved`}
        shortcut="Shift+B"
        onPress={() => setOpen(true)}
      >
        <Bookmark size={14} aria-hidden />
        {list.length === 0 ? null : (
          <span className={styles.count} data-unsaved={unsaved > 0 || undefined}>
            {list.length > 99 ? '99+' : list.length}
          </span>
        )}
      </IconButton>
      <Popover
        triggerRef={anchor}
        isOpen={isOpen}
        onOpenChange={close}
        placement="bottom"
        className={cx(popover.popover, styles.popover)}
      >
        <Dialog aria-label="Bookmarks" className={cx(styles.dialog)}>
          <BookmarksPanel onDone={() => close(false)} />
        </Dialog>
      </Popover>
    </span>
  )
}
