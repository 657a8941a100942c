// Animated ring for running work.
import styles from './spinner.module.css'

/** Purely visual; the busy element announces its state itself. */
export function Spinner({ size = 13 }: { readonly size?: number }) {
  return <span aria-hidden className={styles.spinner} style={{ width: size, height: size }} />
}
