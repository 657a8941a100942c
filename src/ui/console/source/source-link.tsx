// Links to source positions: they open the editor or copy the position.
import { type ReactNode, useCallback, useMemo } from 'react'
import {
  type MachineChart,
  type MachinePart,
  positionIn,
  positionText,
  type SourcePosition,
} from '../../../trace/index.ts'
import { useConsole } from '../use-console.ts'
import { goToSource } from './editor.ts'
import { editorAccess } from './editor-access.ts'
import styles from './source.module.css'

/** Returns a function that finds the positions of a chart's parts in the shown trace; the same one until that changes. */
export function useSource(chart: MachineChart): (part: MachinePart) => SourcePosition | undefined {
  const { header } = useConsole()
  return useMemo(() => {
    // Machines with the same id have numbers in their keys.
    const key = Object.entries(header.machines).find(([, one]) => one === chart)?.[0] ?? chart.id
    return part => positionIn(header, key, part)
  }, [header, chart])
}

/** The same as text for tooltips. */
export function usePlaces(chart: MachineChart): (part: MachinePart) => string | undefined {
  const sourceOf = useSource(chart)
  return useCallback(
    part => {
      const position = sourceOf(part)
      return position && lineText(position)
    },
    [sourceOf],
  )
}

/** `src/session.ts:12`, as a tooltip shows it. */
const lineText = ({ file, line }: SourcePosition): string => `${file}:${line}`

interface SourceLinkProps {
  readonly position: SourcePosition | undefined
  /** The name of the part; the link shows file and line if absent. */
  readonly children?: ReactNode
}

/** Without a position, only the name. */
export function SourceLink({ position, children }: SourceLinkProps) {
  if (!position) return <>{children}</>
  const name = lineText(position)
  const what = editorAccess() ? 'Open in editor' : 'Copy'
  return (
    <button
      type="button"
      className={children === undefined ? styles.line : styles.name}
      title={`${what}: ${name}`}
      aria-label={children === undefined ? `${what}: ${positionText(position)}` : undefined}
      onClick={() => void goToSource(position)}
    >
      {children ?? shortText(position)}
    </button>
  )
}

/** `session.ts:12` */
const shortText = ({ file, line }: SourcePosition) => `${file.slice(file.lastIndexOf('/') + 1)}:${line}`
