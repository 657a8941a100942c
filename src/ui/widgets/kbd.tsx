// A key or a key combination.
import type { ReactNode } from 'react'
import styles from './kbd.module.css'

/** Draws a key as a keycap. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return <kbd className={styles.kbd}>{children}</kbd>
}
