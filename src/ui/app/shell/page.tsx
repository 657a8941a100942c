// Header and body shared by all pages.
import type { ReactNode } from 'react'
import styles from './page.module.css'

export interface PageHeadProps {
  readonly title: ReactNode
  readonly note?: ReactNode
  /** Buttons at the end of the title line. */
  readonly children?: ReactNode
}

/** The title line of a page. */
export function PageHead({ title, note, children }: PageHeadProps) {
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>{title}</h1>
      {note === undefined ? null : <span className={styles.note}>{note}</span>}
      <span className={styles.actions}>{children}</span>
    </header>
  )
}

/** A scrolling body with the default page margins. */
export function PageBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles.body}>{children}</div>
}

/** A message in a page or form, colored by its tone; failures are announced. */
export function Notice(props: { readonly tone?: 'fail' | 'info'; readonly children: ReactNode }) {
  const isFailure = props.tone === 'fail'
  return (
    <div role={isFailure ? 'alert' : 'status'} className={styles.notice} data-tone={props.tone ?? 'info'}>
      {props.children}
    </div>
  )
}
