// What a pane shows when it has nothing to show: it is empty, it failed, or it still loads.
import { CircleAlert } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import styles from './state.module.css'

export interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  /** It stands for a whole page, whose heading its title is. */
  readonly isPage?: boolean
  /** What it means and what to do about it. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}

function Title(props: { readonly isPage: boolean | undefined; readonly children: string }) {
  const Tag = props.isPage === true ? 'h1' : 'p'
  return <Tag className={styles.title}>{props.children}</Tag>
}

/** Nothing is there, and that is no fault. */
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

/** Something failed; says what and offers the way on. */
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

const SKELETON_AFTER_MS = 300

/** Grey lines in place of what loads; shown only when loading is slow enough to be noticed. */
export function Skeleton({
  rows = 6,
  label = 'Loading',
}: {
  readonly rows?: number
  readonly label?: string
}) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <output aria-label={label} className={styles.skeleton}>
      {shown
        ? Array.from({ length: rows }, (_, row) => (
            <span key={row} className={styles.bone} style={{ width: `${92 - ((row * 17) % 45)}%` }} />
          ))
        : null}
    </output>
  )
}
