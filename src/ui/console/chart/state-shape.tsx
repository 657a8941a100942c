// One state of a chart: its box by type and by whether it is active, visited or unvisited, and its own
// transitions.
import { memo } from 'react'
import type { Tone } from '../../widgets/pill.tsx'
import { cx } from '../../widgets/cx.ts'
import { count as grouped } from '../text.ts'
import { FIRST_ROW, foldedText, HISTORY, LINE, NAME_MIDDLE } from './chart-graph.ts'
import type { StateBox } from './placed-chart.ts'
import styles from './chart.module.css'
import { useRefs } from './defs.tsx'
import type { ChartActivity } from './chart-activity.ts'
import type { Box } from './chart-geometry.ts'
import type { EdgeLine } from './chart-text.ts'
import { Countdown, type RunningTimer } from './countdown.tsx'

/** How a state is drawn. */
export type Lit = 'active' | 'visited' | 'unvisited'

export interface StateShapeProps {
  readonly box: StateBox
  readonly lit: Lit
  /** Whether the shown step entered it. */
  readonly isEntered: boolean
  readonly tone: Tone
  readonly isFolded: boolean
  /** How often it was entered. */
  readonly visits: number
  /** Between 0 and 1; undefined unless visits are compared. */
  readonly heat: number | undefined
  readonly isDim: boolean
  readonly isFound: boolean
  readonly isFocused: boolean
  /** Shown instead of the machine's key. */
  readonly name: string
  /** File and line of its code, as the tooltip; undefined if unknown. */
  readonly place: string | undefined
  /** Marks of its own transitions; the same object while there are none. */
  readonly marks: OwnMarks
}

/** Draws a state. */
export const StateShape = memo(function StateShape(props: StateShapeProps) {
  const { box, lit, tone, heat, visits } = props
  const { state } = box
  return (
    <g
      data-state={state.path}
      data-lit={lit}
      data-tone={tone}
      data-dim={props.isDim || undefined}
      data-found={props.isFound || undefined}
      data-focused={props.isFocused || undefined}
      data-heat={heat === undefined ? undefined : ''}
      style={heat === undefined ? undefined : { ['--heat' as string]: heat }}
      className={styles.stateGroup}
    >
      {state.type === 'history' || props.place === undefined ? null : <title>{props.place}</title>}
      {state.type === 'history' ? <HistoryShape box={box} /> : <BoxShape {...props} />}
      {visits >= (heat === undefined ? 2 : 1) && !box.isRoot && state.type !== 'history' ? (
        <Visits box={box} visits={visits} />
      ) : null}
    </g>
  )
})

function BoxShape(props: StateShapeProps) {
  const { box, lit, isEntered, tone, isFolded, name } = props
  const { state, x, y, width, height, isNested, rows, own } = box
  const rx = isNested ? 12 : 9
  const shape = cx(
    styles.state,
    isNested ? styles.nested : styles.leaf,
    styles[lit],
    box.isRoot && styles.root,
    box.isRegion && styles.region,
    box.isParted && styles.parted,
    state.type === 'parallel' && styles.parallel,
  )
  const isHeaded = isNested || isFolded || rows.length + own.length > 0
  const folds = state.states.length > 0 && !box.isRoot
  const { hatch } = useRefs()
  return (
    <>
      {isEntered && !isNested ? (
        <rect className={styles.halo} x={x} y={y} width={width} height={height} rx={rx} />
      ) : null}
      <rect className={shape} x={x} y={y} width={width} height={height} rx={rx} />
      {tone === 'fail' && !isNested ? (
        <rect className={styles.hatched} fill={hatch} x={x} y={y} width={width} height={height} rx={rx} />
      ) : null}
      {state.type === 'final' ? (
        <rect className={styles.final} x={x + 3.5} y={y + 3.5} width={width - 7} height={height - 7} rx={6} />
      ) : null}
      {box.separators.map(([from, to]) => (
        <line
          key={`${from.x},${from.y}`}
          className={styles.separator}
          x1={from.x}
          y1={from.y}
          x2={to.x}
          y2={to.y}
        />
      ))}
      {folds ? <Fold x={x + 12} y={y + NAME_MIDDLE} isFolded={isFolded} path={state.path} /> : null}
      <text
        className={cx(styles.name, isNested && styles.title, isHeaded && styles.start)}
        x={isHeaded ? x + (folds ? 26 : 14) : x + width / 2}
        y={y + NAME_MIDDLE + 4}
      >
        {name}
      </text>
      <Rows {...props} />
    </>
  )
}

function Rows(props: StateShapeProps) {
  const { box, isFolded } = props
  const { state, x, y, rows, own } = box
  const at = (n: number) => y + FIRST_ROW + n * LINE + 8
  return (
    <>
      {rows.map(({ kind, label, text }, n) => (
        <text key={`${n} ${text}`} className={cx(styles.detail, styles[kind])} x={x + 14} y={at(n)}>
          {label === '' ? null : <tspan className={styles.faint}>{label} </tspan>}
          {text}
        </text>
      ))}
      {own.map((line, n) => (
        <OwnLine
          key={line.text}
          line={line}
          box={box}
          y={at(rows.length + n)}
          isOpen={props.lit === 'active'}
          marks={props.marks}
        />
      ))}
      {isFolded ? (
        <text className={cx(styles.detail, styles.faint)} x={x + 14} y={at(rows.length + own.length)}>
          {foldedText(state)}
        </text>
      ) : null}
    </>
  )
}

interface FoldProps {
  readonly x: number
  readonly y: number
  readonly isFolded: boolean
  readonly path: string
}

/** The toggle that folds and unfolds a parent state. */
function Fold({ x, y, isFolded, path }: FoldProps) {
  return (
    <g data-fold={path} className={styles.fold}>
      <rect x={x - 4} y={y - 9} width={18} height={18} rx={4} className={styles.foldGround} />
      <path
        className={styles.chevron}
        d={isFolded ? `M${x + 3} ${y - 4}l4 4-4 4` : `M${x + 1} ${y - 2}l4 4 4-4`}
      />
    </g>
  )
}

function HistoryShape({ box }: { readonly box: StateBox }) {
  const { state, x, y } = box
  const half = HISTORY / 2
  return (
    <>
      <title>{`${state.key}: ${state.history ?? 'shallow'} history`}</title>
      <circle className={cx(styles.state, styles.history)} cx={x + half} cy={y + half} r={half - 1} />
      <text className={styles.name} x={x + half} y={y + half + 4}>
        {state.history === 'deep' ? 'H*' : 'H'}
      </text>
    </>
  )
}

/** The number of visits, on the corner of the state's box. */
function Visits({ box, visits }: { readonly box: StateBox; readonly visits: number }) {
  const text = visits < 10_000 ? grouped(visits) : `${Math.floor(visits / 1000)}k`
  const width = 10 + text.length * 6
  const x = box.x + box.width - width - 6
  const y = box.isNested ? box.y + (box.isRegion ? 5 : -7) : box.y + box.height - 7
  return (
    <g className={styles.visits}>
      <rect x={x} y={y} width={width} height={14} rx={7} />
      <text x={x + width / 2} y={y + 10.5}>
        {text}
      </text>
    </g>
  )
}

/** Transitions that were just taken, were rejected, or wait for a timer. */
export interface OwnMarks extends Pick<ChartActivity, 'taken' | 'rejected'> {
  readonly timers: readonly RunningTimer[]
  /** Finds file and line of a transition. */
  readonly placeOf: (name: string) => string | undefined
}

interface OwnLineProps {
  readonly box: Box & Pick<StateBox, 'state'>
  readonly line: EdgeLine
  /** Position of the text's lower edge. */
  readonly y: number
  /** Whether its state is active. */
  readonly isOpen: boolean
  readonly marks: OwnMarks
}

/** A transition that stays within the state, or leaves it but has no space for an arrow. */
function OwnLine({ box, line, y, isOpen, marks }: OwnLineProps) {
  const isHot = line.names.some(name => marks.taken.has(name))
  const rejection = line.names.flatMap(name => marks.rejected.get(name) ?? [])[0]
  const timer = marks.timers.find(({ name }) => line.names.includes(name))
  const places = line.names.flatMap(name => marks.placeOf(name) ?? [])
  return (
    <g
      className={styles.line}
      data-edge={`${box.state.path}↻`}
      data-names={line.names.join('\n')}
      data-rejected={rejection ? '' : undefined}
      data-kind={line.kind}
    >
      {places.length === 0 ? null : <title>{[line.text, ...places].join('\n  ')}</title>}
      <rect
        className={styles.lineGround}
        x={box.x + 8}
        y={y - 11}
        width={box.width - 16}
        height={LINE}
        rx={4}
      />
      <text
        className={cx(styles.ownLabel, isOpen && styles.openLabel, isHot && styles.hotLabel)}
        x={box.x + 14}
        y={y}
      >
        {rejection ? `✕ ${rejection.guard}: ` : ''}
        {line.text}
        {timer ? <Countdown timer={timer} /> : null}
      </text>
    </g>
  )
}
