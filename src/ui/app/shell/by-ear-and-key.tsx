// For whoever comes by keys or by ear: the way past bar and sections, and which page has come up.
import { useEffect, useState } from 'react'
import styles from './by-ear-and-key.module.css'

/** The id of the element that holds the page; it takes the focus when told to. */
export const PAGE_ID = 'page'

/** Seen only while it has the focus. */
export function SkipLink() {
  return (
    <a
      href={`#${PAGE_ID}`}
      className={styles.skip}
      onClick={event => {
        // The address tells what is looked at, not where the focus is.
        event.preventDefault()
        document.getElementById(PAGE_ID)?.focus()
      }}
    >
      Skip to the page
    </a>
  )
}

/** Speaks the title of the page when another one comes up, which a page loaded anew would do by itself. */
export function PageNews() {
  const [title, setTitle] = useState('')
  useEffect(() => {
    const observer = new MutationObserver(() => setTitle(document.title))
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return <output className={styles.heard}>{title === '' ? '' : `Page: ${title}`}</output>
}
