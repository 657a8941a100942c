// The layout of the diagram as React state.
import { useCallback, useMemo, useState } from 'react'
import type { Size } from '../../widgets/drawing/geometry.ts'
import { useLoaded } from '../../widgets/use-promise.ts'
import { useStarted } from '../hooks.ts'
import type { PlacedDiagram } from './diagram-layout.ts'
import type { Diagram } from './diagram.ts'
import { createDiagramEngine } from './layout-engine.ts'

export type DiagramLayout =
  | { readonly state: 'pending' }
  | { readonly state: 'placed'; readonly placed: PlacedDiagram }
  | { readonly state: 'failed'; readonly message: string; readonly retry: () => void }

/** Shapes of the drawing: another one for each size of the pane would move the tables. */
const WIDE: Size = { width: 16, height: 10 }
const TALL: Size = { width: 7, height: 10 }

const PENDING: DiagramLayout = { state: 'pending' }

/** The same object while the tables and keys are the same. */
export function useSameDiagram(diagram: Diagram): Diagram {
  const content = useMemo(() => JSON.stringify(diagram), [diagram])
  const [last, setLast] = useState({ content, diagram })
  if (last.content === content) return last.diagram
  setLast({ content, diagram })
  return diagram
}

/**
 * Lays out the diagram in a worker, which ends when the page is left.
 * @param current the size of the pane; 0 × 0 until it is known
 */
export function useDiagramLayout(diagram: Diagram, current: Size): DiagramLayout {
  // On paper the pane has no size; the drawing keeps its size on the screen.
  const [pane, setPane] = useState(current)
  if (current.width > 0 && current !== pane) setPane(current)
  const [attempt, setAttempt] = useState(0)
  const start = useCallback(() => {
    const engine = createDiagramEngine()
    return { started: { engine, attempt }, stop: engine.dispose }
  }, [attempt])
  const engine = useStarted(start)?.engine
  const isKnown = pane.width > 0
  const shape = pane.height > pane.width ? TALL : WIDE
  const load = useMemo(
    () => (engine && isKnown ? () => engine.layout(diagram, shape) : undefined),
    [engine, isKnown, diagram, shape],
  )
  const result = useLoaded(load)
  if (load === undefined || result?.load !== load) return PENDING
  if (result.value !== undefined) return { state: 'placed', placed: result.value }
  const message = result.error instanceof Error ? result.error.message : String(result.error)
  return { state: 'failed', message, retry: () => setAttempt(attempt + 1) }
}
