// Placeholders of a pane: empty, failed or loading.
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './state.module.css'
import { useHasElapsed } from './time.ts'

export interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  /** Replaces a whole page, so that its title is the page's heading. */
  readonly isPage?: boolean
  /** What it means and what to do about it. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}

function Title(props: { readonly isPage: boolean | undefined; readonly children: string }) {
  const Tag = props.isPage === true ? 'h1' : 'p'
  return <Tag className={styles.title}>{props.children}</Tag>
}

/** Nothing to show, without an error. */
export function EmptyState({ icon, title, isPage, children, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {icon === undefined ? null : <span className={styles.icon}>{icon}</span>}
      <Title isPage={isPage}>{title}</Title>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action}
    </div>
  )
}

/** An error with its message and next steps. */
export function ErrorState({ title, isPage, children, action }: Omit<EmptyStateProps, 'icon'>) {
  return (
    <div role="alert" className={styles.state}>
      <span className={styles.failed}>
        <CircleAlert size={22} aria-hidden />
      </span>
      <Title isPage={isPage}>{title}</Title>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action}
    </div>
  )
}

const NOTICED_MS = 300

/** Whether the component has been mounted for long enough to notice; shorter work shows no progress. */
export const useNoticed = (): boolean => useHasElapsed(NOTICED_MS)

/** Gray lines while loading; shown only if loading is noticeably slow. */
export function Skeleton({
  rows = 6,
  label = 'Loading',
}: {
  readonly rows?: number
  readonly label?: string
}) {
  const shown = useNoticed()
  return (
    <output aria-label={label} className={styles.skeleton}>
      {shown
        ? Array.from({ length: rows }, (_, row) => (
            <span key={row} className={styles.bone} style={{ width: `${92 - ((row * 17) % 45)}%` }} />
          ))
        : null}
      <span className={styles.slow}>Still loading: there is no response yet.</span>
    </output>
  )
}
