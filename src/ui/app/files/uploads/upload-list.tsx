// The upload list: a summary line, and each upload while one needs attention.
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useMemo, useState, useRef } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { AnswersForAll, UploadRow, type UploadListProps } from './upload-row.tsx'
import styles from './uploads.module.css'
import {
  inOrder,
  isOver,
  needsAttention,
  totalPercent,
  uploadSummary,
} from '../../../../services/workbench/files/index.ts'
import { useVirtualizer } from '@tanstack/react-virtual'

function Head({
  list,
  uploads,
  isOpen,
  onToggle,
}: UploadListProps & { isOpen: boolean; onToggle: () => void }) {
  const underWay = list.filter(upload => !isOver(upload))
  return (
    <header className={styles.head}>
      <output>{uploadSummary(list)}</output>
      {underWay.length > 0 ? <span className={styles.total}>{totalPercent(list)} % of bytes</span> : null}
      <span className={styles.headActions}>
        {underWay.length > 1 ? (
          <Button size="s" variant="quiet" onPress={() => underWay.forEach(({ id }) => uploads.cancel(id))}>
            Cancel all
          </Button>
        ) : null}
        {list.some(isOver) ? (
          <Button size="s" variant="quiet" onPress={uploads.clear}>
            Clear
          </Button>
        ) : null}
        <IconButton size="s" label={isOpen ? 'Collapse list' : 'Expand list'} onPress={onToggle}>
          {isOpen ? <ChevronUp size={14} /> : <ChevronDown size={14} />}
        </IconButton>
      </span>
    </header>
  )
}

function Rows({ list, uploads }: UploadListProps) {
  const { ref, first, shown, before, after } = useSeenRows(list)
  return (
    <div ref={ref} className={styles.scroll}>
      <ul style={{ paddingTop: before, paddingBottom: after }} data-first={first}>
        {shown.map(upload => (
          <UploadRow key={upload.id} upload={upload} uploads={uploads} />
        ))}
      </ul>
    </div>
  )
}

/** Renders nothing without uploads; collapsed when all succeeded, unless the user expands it. */
export function UploadList({ list, uploads }: UploadListProps) {
  const [wanted, setWanted] = useState<boolean>()
  const isOpen = wanted ?? needsAttention(list)
  const ordered = useMemo(() => inOrder(list), [list])
  if (list.length === 0) return null
  return (
    <section className={styles.uploads} aria-label="Uploads">
      <Head list={list} uploads={uploads} isOpen={isOpen} onToggle={() => setWanted(!isOpen)} />
      <AnswersForAll list={list} uploads={uploads} />
      {isOpen ? <Rows list={ordered} uploads={uploads} /> : null}
    </section>
  )
}

/** Shorter lists render completely. */
const FEW = 60
const ROW = 30

/** The part of `items` to render in the scroller with `ref`, and the space around it. */
function useSeenRows<T>(items: readonly T[]) {
  const ref = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => ref.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  if (items.length <= FEW) return { ref, first: 0, shown: items, before: 0, after: 0 }
  const rows = virtualizer.getVirtualItems()
  const [top, bottom] = [rows[0], rows.at(-1)]
  return {
    ref,
    first: top?.index ?? 0,
    shown: items.slice(top?.index ?? 0, (bottom?.index ?? -1) + 1),
    before: top?.start ?? 0,
    after: virtualizer.getTotalSize() - (bottom?.end ?? 0),
  }
}
