// Keyboard and screen reader support: a skip link past bar and sections, and page announcements.
import { useEffect, useState } from 'react'
import styles from './skip-links.module.css'

/** Id of the page element, which can be focused from code. */
export const PAGE_ID = 'page'

/** Visible only while it has the focus. */
export function SkipLink() {
  return (
    <a
      href={`#${PAGE_ID}`}
      className={styles.skip}
      onClick={event => {
        // The URL stores the view, not the focus, so the hash does not change.
        event.preventDefault()
        document.getElementById(PAGE_ID)?.focus()
      }}
    >
      Skip to the page
    </a>
  )
}

/** Announces the title of a newly opened page, as a full page load would. */
export function PageAnnouncer() {
  const [title, setTitle] = useState('')
  useEffect(() => {
    const observer = new MutationObserver(() => setTitle(document.title))
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return <output className={styles.announcement}>{title === '' ? '' : `Page: ${title}`}</output>
}
