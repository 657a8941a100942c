// Logo and product name.
import styles from './shell.module.css'

/** The compass logo with the product name. */
export function Brand() {
  return (
    <span className={styles.brand}>
      <svg
        width="18"
        height="18"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden
      >
        <circle cx="12" cy="12" r="9.5" />
        <path d="M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3" />
        <path d="M16 8l-2.4 5.6L8 16l2.4-5.6z" fill="currentColor" stroke="none" />
      </svg>
      <span className={styles.name}>Chartroom</span>
    </span>
  )
}
