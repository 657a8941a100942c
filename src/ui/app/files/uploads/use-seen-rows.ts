// Virtualizes a long list.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'

/** Shorter lists render completely. */
const FEW = 60
const ROW = 30

/** The part of `items` to render in the scroller with `ref`, and the space around it. */
export function useSeenRows<T>(items: readonly T[]) {
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
