// A small turning ring for work that is under way.
import styles from './spinner.module.css'

/** Purely visual; the thing that is busy says so itself. */
export function Spinner({ size = 13 }: { readonly size?: number }) {
  return <span aria-hidden className={styles.spinner} style={{ width: size, height: size }} />
}
