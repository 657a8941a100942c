// Fills the window until there is something to show.
import { useEffect, useState } from 'react'
import { Spinner } from '../../widgets/spinner.tsx'
import styles from './shell.module.css'

const SHOWN_AFTER_MS = 300

/** One muted line, shown only if the wait is noticeable. */
export function Splash({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <output className={styles.splash}>
      {shown ? (
        <>
          <Spinner size={16} /> {text}
        </>
      ) : null}
    </output>
  )
}
