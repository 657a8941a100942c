// The drawn diagram: tables and keys, moved and zoomed by pointer, wheel and keys.
import {
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type DragEvent,
  type RefObject,
} from 'react'
import type { Size } from '../../widgets/drawing/geometry.ts'
import { useDrag } from '../../widgets/drawing/use-drag.ts'
import { meets } from '../../widgets/drawing/view-port.ts'
import { plural } from '../../../services/workbench/text/index.ts'
import styles from './diagram.module.css'
import type { PlacedDiagram, PlacedKey } from './diagram-layout.ts'
import { keyPath, schemaColor } from './diagram-shapes.ts'
import { neighborhood, spokenTable } from './diagram.ts'
import { DiagramTools } from './diagram-tools.tsx'
import { TableShape, type Tone } from './table-shape.tsx'
import { useDiagramView } from './use-diagram-view.ts'

/** A table to center; another object each time. */
export interface CenterRequest {
  readonly id: string
  /** Whether it takes the focus, too. */
  readonly isFocused: boolean
}

export interface DiagramCanvasProps {
  readonly placed: PlacedDiagram
  readonly pane: Size
  readonly paneRef: RefObject<HTMLDivElement | null>
  readonly request: CenterRequest | undefined
  /** The path of a table's rows. */
  readonly hrefOf: (id: string) => string
  readonly onOpen: (id: string) => void
}

const KeyLines = memo(function KeyLines(props: {
  readonly keys: readonly PlacedKey[]
  readonly active: string | undefined
}) {
  const paths = useMemo(
    () => props.keys.map(placed => ({ key: placed.key, path: keyPath(placed) })),
    [props.keys],
  )
  const isOf = (id: string | undefined, key: PlacedKey['key']) => key.from === id || key.to === id
  const toneOf = (key: PlacedKey['key']): Tone =>
    props.active === undefined ? undefined : isOf(props.active, key) ? 'active' : 'dim'
  return (
    <g aria-hidden className={styles.keys}>
      {paths.map(({ key, path }) => (
        <path key={key.id} className={styles.key} d={path} data-key={key.id} data-tone={toneOf(key)} />
      ))}
    </g>
  )
})

interface FocusedTable {
  readonly id: string
  readonly isByKey: boolean
}

/** The pointed, focused or found table, in this order. */
const useActive = (request: CenterRequest | undefined) => {
  const [pointed, point] = useState<string>()
  const [focused, focus] = useState<FocusedTable>()
  const [dismissed, dismiss] = useState<CenterRequest>()
  const requested = request === dismissed ? undefined : request?.id
  const active = pointed ?? focused?.id ?? requested
  return { active, focused, point, focus, dismiss: () => dismiss(request) }
}

/** A click opens a table; one that gets the focus by a key is brought into the view. */
export function DiagramCanvas({ placed, pane, paneRef, request, hrefOf, onOpen }: DiagramCanvasProps) {
  const ground = useRef<SVGGElement>(null)
  const view = useDiagramView({ placed, pane, paneRef, ground })
  const { active, focused, point, focus, dismiss } = useActive(request)
  const { diagram, tables, keys } = placed
  const places = useMemo(() => new Map(tables.map(one => [one.table.id, one])), [tables])
  const shown = active === undefined ? undefined : places.get(active)
  const related = useMemo(() => (shown ? neighborhood(shown.table) : undefined), [shown])
  const labels = useMemo(
    () => new Map(tables.map(({ table }) => [table.id, spokenTable(table, diagram)])),
    [tables, diagram],
  )
  const reveal = useEffectEvent((id: string) => {
    const box = places.get(id)
    if (box) view.reveal(box)
  })
  const onFocus = useCallback(
    (id: string | undefined, isByKey: boolean) => focus(id === undefined ? undefined : { id, isByKey }),
    [focus],
  )
  useEffect(() => {
    if (focused?.isByKey === true) reveal(focused.id)
  }, [focused])
  const center = useEffectEvent(({ id, isFocused }: CenterRequest) => {
    const box = places.get(id)
    if (box) view.center(box)
    if (isFocused)
      [...(ground.current?.querySelectorAll<SVGElement>('a[data-table]') ?? [])]
        .find(({ dataset }) => dataset['table'] === id)
        ?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (request !== undefined) center(request)
  }, [request])
  const drag = useDrag(view, target => {
    const id = target.closest('a[data-table]')?.getAttribute('data-table')
    if (id === null || id === undefined) dismiss()
    else onOpen(id)
  })
  const canvasProps = {
    ...drag,
    onKeyDown: view.onKeyDown,
    // Links are dragged as text, otherwise.
    onDragStart: (event: DragEvent) => event.preventDefault(),
    tabIndex: 0,
  }
  const toneOf = (id: string): Tone =>
    related === undefined ? undefined : id === active ? 'active' : related.has(id) ? 'near' : 'dim'
  return (
    <>
      <div
        className={styles.canvas}
        data-diagram=""
        role="application"
        aria-roledescription="diagram"
        aria-label={`Diagram of ${plural(tables.length, 'table')} and ${plural(keys.length, 'foreign key')}: arrow keys move it, plus and minus zoom, 0 fits it, Tab goes to the tables`}
        {...canvasProps}
      >
        <svg className={styles.svg}>
          <g ref={ground}>
            {tables.map(one => (
              <TableShape
                key={one.table.id}
                placed={one}
                label={labels.get(one.table.id) ?? one.title}
                color={schemaColor(diagram.schemas, one.table.schema)}
                href={one.table.isListed ? hrefOf(one.table.id) : undefined}
                tone={toneOf(one.table.id)}
                isFar={view.isFar}
                isDrawn={meets(one, view.region)}
                onOpen={onOpen}
                onPoint={point}
                onFocus={onFocus}
              />
            ))}
            <KeyLines keys={keys} active={shown && active} />
          </g>
        </svg>
      </div>
      <Legend diagram={diagram} />
      {active === undefined ? null : (
        <p className={styles.caption} aria-hidden>
          {labels.get(active)}
        </p>
      )}
      <DiagramTools view={view} />
    </>
  )
}

/** Colors of the schemas, if there are several. */
function Legend({ diagram: { schemas, tables } }: Pick<PlacedDiagram, 'diagram'>) {
  if (schemas.length < 2) return null
  return (
    <ul className={styles.legend} aria-label="Schemas">
      {schemas.map(schema => (
        <li key={schema}>
          <span className={styles.dot} style={{ background: schemaColor(schemas, schema) }} />
          <bdi>{schema}</bdi> {tables.filter(table => table.schema === schema).length}
        </li>
      ))}
    </ul>
  )
}
