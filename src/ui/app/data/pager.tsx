// Moving through the pages of a table.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../../widgets/button.tsx'
import styles from './data.module.css'

export interface PagerProps {
  /** Counted from 1. */
  readonly page: number
  readonly size: number
  readonly count: number | null
  readonly onPage: (page: number) => void
}

/** Nothing where one page holds all. */
export function Pager({ page, size, count, onPage }: PagerProps) {
  if (count === null || (count <= size && page === 1)) return null
  const pages = Math.max(1, Math.ceil(count / size))
  const first = (page - 1) * size + 1
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span>
        {first.toLocaleString('en')}–{Math.min(count, page * size).toLocaleString('en')} of{' '}
        {count.toLocaleString('en')}
      </span>
      <IconButton label="Previous page" isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
        <ChevronLeft size={16} />
      </IconButton>
      <span>
        page {page} of {pages}
      </span>
      <IconButton label="Next page" isDisabled={page >= pages} onPress={() => onPage(page + 1)}>
        <ChevronRight size={16} />
      </IconButton>
    </nav>
  )
}
