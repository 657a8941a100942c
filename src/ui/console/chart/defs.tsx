// What a chart's shapes refer to: arrow heads, and the hatching of what failed.
import styles from './chart.module.css'

/** Put once into each chart. */
export function Defs() {
  return (
    <defs>
      <Arrow id="chart-arrow" shape={styles.arrow} />
      <Arrow id="chart-arrow-hot" shape={styles.arrowHot} />
      <pattern
        id="chart-hatch"
        width="7"
        height="7"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect className={styles.hatch} width="2" height="7" />
      </pattern>
    </defs>
  )
}

function Arrow({ id, shape }: { readonly id: string; readonly shape: string | undefined }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path className={shape} d="M0.5 1l6.5 3-6.5 3z" />
    </marker>
  )
}
