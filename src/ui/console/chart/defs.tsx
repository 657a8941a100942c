// SVG definitions for a chart's shapes: arrow heads and the hatching of failed states. Each chart has its
// own.
import { createContext, useContext, useId, useMemo, type ReactNode } from 'react'
import styles from './chart.module.css'

interface Refs {
  readonly arrow: string
  readonly arrowHot: string
  readonly hatch: string
}

const RefsContext = createContext<Refs>({ arrow: '', arrowHot: '', hatch: '' })

/** Returns the references that a chart's shapes use. */
export const useRefs = (): Refs => useContext(RefsContext)

/** Rendered once in each chart, around its shapes. */
export function Defs({ children }: { readonly children: ReactNode }) {
  const id = useId()
  const refs = useMemo(
    () => ({ arrow: `url(#${id}-arrow)`, arrowHot: `url(#${id}-arrow-hot)`, hatch: `url(#${id}-hatch)` }),
    [id],
  )
  return (
    <>
      <defs>
        <Arrow id={`${id}-arrow`} shape={styles.arrow} />
        <Arrow id={`${id}-arrow-hot`} shape={styles.arrowHot} />
        <pattern
          id={`${id}-hatch`}
          width="7"
          height="7"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect className={styles.hatch} width="2" height="7" />
        </pattern>
      </defs>
      <RefsContext value={refs}>{children}</RefsContext>
    </>
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
