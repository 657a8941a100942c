// The chart's tools: search, outline, detail, visits, folding, export, zoom and fit.
import {
  ChevronsDownUp,
  ChevronsUpDown,
  Crosshair,
  Flame,
  Focus,
  ListTree,
  Maximize,
  Minus,
  Network,
  Plus,
  Rows3,
  Search,
} from 'lucide-react'
import {
  memo,
  useCallback,
  useEffect,
  useRef,
  useSyncExternalStore,
  type RefObject,
  useEffectEvent,
  useState,
} from 'react'
import type { MachineChart } from '../../../trace/index.ts'
import { IconButton, ToolButton } from '../../widgets/button.tsx'
import type { Counts } from './chart-counts.ts'
import { ExportMenu } from './chart-export-menu.tsx'
import type { PlacedChart } from './placed-chart.ts'
import styles from './tools.module.css'
import type { ChartChoices } from './use-chart-choices.ts'
import type { View } from './use-view-port.ts'
import { drawnPath } from './chart-parts.ts'
import type { ChartTarget } from './chart-shapes.tsx'

export interface ChartToolsProps {
  readonly chart: MachineChart
  readonly placed: PlacedChart
  readonly view: View
  readonly choices: ChartChoices
  readonly counts: Counts
  readonly svg: RefObject<SVGSVGElement | null>
  /** Whether only the surroundings of the active states are drawn. */
  readonly isFocus: boolean
  /** Whether the whole chart is being laid out. */
  readonly isComing: boolean
}

/** Two toolbars: what is drawn, and the view onto it. */
export function ChartTools(props: ChartToolsProps) {
  const { placed, view, choices, counts, isFocus, isComing } = props
  return (
    <>
      {choices.isHeat ? <Coverage choices={choices} counts={counts} /> : null}
      {isFocus ? <Shown placed={placed} choices={choices} isComing={isComing} /> : null}
      <div className={styles.tools} role="toolbar" aria-label="Chart">
        <SearchField {...{ placed, view, choices, isFocus }} />
        <Buttons
          act={useLatest(props)}
          port={view.port}
          following={view.following}
          isFull={choices.detail === 'full'}
          isFolded={choices.folded.size > 0}
          isFocus={isFocus}
          isOutlined={choices.isOutlined}
          isHeat={choices.isHeat}
          canFold={choices.canFold}
        />
      </div>
    </>
  )
}

/** Runs a function with the chart's current state. */
type Act = (what: (now: ChartToolsProps) => void) => void

function useLatest(props: ChartToolsProps): Act {
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  return useCallback(what => what(latest.current), [])
}

interface ButtonsProps extends Pick<ChartToolsProps, 'isFocus'> {
  readonly act: Act
  readonly port: View['port']
  readonly following: boolean
  readonly isFull: boolean
  readonly isFolded: boolean
  readonly isOutlined: boolean
  readonly isHeat: boolean
  readonly canFold: boolean
}

/** Props stay the same in every step, so that stepping does not rerender them. */
const Buttons = memo(function Buttons(props: ButtonsProps) {
  const { act, port, following, isFocus, isFull, isFolded, isOutlined, isHeat, canFold } = props
  return (
    <>
      <span className={styles.parting} />
      <IconButton
        size="s"
        label={isFocus ? 'Whole chart' : 'Around the active states'}
        shortcut="O"
        isOn={isFocus}
        onPress={() => act(({ choices }) => choices.set({ mode: isFocus ? 'whole' : 'focus' }))}
      >
        {isFocus ? <Focus size={14} aria-hidden /> : <Network size={14} aria-hidden />}
      </IconButton>
      <ToolButton
        icon={ListTree}
        iconSize={14}
        label="Outline of the states"
        isOn={isOutlined}
        onPress={() => act(({ choices }) => choices.setOutlined(!isOutlined))}
      />
      <ToolButton
        icon={Rows3}
        iconSize={14}
        label="Actions, tags and descriptions in states"
        isOn={isFull}
        onPress={() => act(({ choices }) => choices.set({ detail: isFull ? 'brief' : 'full' }))}
      />
      <ToolButton
        icon={Flame}
        iconSize={14}
        label="Coverage: visits by all actors of this machine"
        isOn={isHeat}
        onPress={() => act(({ choices }) => choices.set({ isHeat: !isHeat }))}
      />
      {canFold ? (
        <IconButton
          size="s"
          label={isFolded ? 'Unfold all states' : 'Fold all states'}
          onPress={() => act(({ choices }) => choices.foldAll(!isFolded))}
        >
          {isFolded ? <ChevronsUpDown size={14} aria-hidden /> : <ChevronsDownUp size={14} aria-hidden />}
        </IconButton>
      ) : null}
      <ExportMenu act={act} />
      <span className={styles.parting} />
      <ToolButton
        icon={Minus}
        iconSize={14}
        label="Zoom out"
        shortcut="-"
        onPress={() => act(({ view }) => view.take(() => port.zoom(0.8)))}
      />
      <Scale port={port} />
      <ToolButton
        icon={Plus}
        iconSize={14}
        label="Zoom in"
        shortcut="+"
        onPress={() => act(({ view }) => view.take(() => port.zoom(1.25)))}
      />
      <ToolButton
        icon={Maximize}
        iconSize={14}
        label="Fit the whole chart"
        shortcut="F"
        onPress={() => act(({ view }) => view.fitAll())}
      />
      <ToolButton
        icon={Crosshair}
        iconSize={14}
        label="Follow the active states"
        isOn={following}
        onPress={() => act(({ view }) => view.follow())}
      />
    </>
  )
})

/** Shows how many states are not drawn, and a button to draw them. */
function Shown(props: Pick<ChartToolsProps, 'placed' | 'choices' | 'isComing'>) {
  const { placed, choices, isComing } = props
  const drawn = placed.boxes.filter(box => !box.isRoot).length
  const all = [...choices.states.keys()].filter(path => path !== '').length
  if (isComing)
    return (
      <p className={styles.shown} role="status">
        Laying out all {all} states …
      </p>
    )
  if (drawn === all) return null
  return (
    <button type="button" className={styles.shown} onClick={() => choices.set({ mode: 'whole' })}>
      {drawn} of {all} states<span className={styles.offer}> · whole chart</span>
    </button>
  )
}

/** Shows how much of the machine all of its actors have reached so far. */
function Coverage({ choices, counts }: { readonly choices: ChartChoices; readonly counts: Counts }) {
  const states = [...choices.states.values()].filter(({ path, type }) => path !== '' && type !== 'history')
  const transitions = [...choices.states.values()].reduce((sum, state) => sum + state.transitions.length, 0)
  const entered = states.filter(({ path }) => counts.states.has(path)).length
  return (
    <p className={styles.coverage}>
      <strong>{entered}</strong> of {states.length} states · <strong>{counts.transitions.size}</strong> of{' '}
      {transitions} transitions
    </p>
  )
}

/** A separate component, because it rerenders with every pan and zoom. */
function Scale({ port }: Pick<View, 'port'>) {
  const percent = useSyncExternalStore(port.subscribe, () => Math.round(port.view.scale * 100))
  return <span className={styles.scale}>{percent} %</span>
}

interface SearchFieldProps {
  readonly placed: PlacedChart
  readonly view: View
  readonly choices: ChartChoices
  /** Whether the whole chart, which a search covers, is not drawn yet. */
  readonly isFocus: boolean
}

/** Enter goes to the next match, Shift+Enter to the previous one, Escape clears. */
function SearchField({ placed, view, choices, isFocus }: SearchFieldProps) {
  const [at, setAt] = useState(-1)
  const { query, found } = choices
  const hits = found ? hitsOf(found, placed) : []
  const wished = useRef<number>(undefined)
  const go = (to: number) => {
    wished.current = isFocus ? to : undefined
    if (isFocus) return
    const next = hits.length === 0 ? -1 : (to + hits.length) % hits.length
    setAt(next)
    const hit = hits[next]
    if (!hit) return
    choices.setTarget(hit.target)
    view.take(() => view.port.center(hit.at, Math.max(view.port.view.scale, 0.9)))
  }
  const goOn = useEffectEvent(() => {
    if (wished.current !== undefined) go(wished.current)
  })
  useEffect(() => {
    if (!isFocus) goOn()
  }, [isFocus, placed])
  return (
    <label className={styles.search} data-filled={query === '' ? undefined : ''}>
      <Search size={13} aria-hidden />
      <input
        aria-label="Find states and events in the chart"
        placeholder="Find"
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={event => {
          choices.setQuery(event.target.value)
          setAt(-1)
        }}
        onKeyDown={event => {
          if (event.key === 'Enter') go(event.shiftKey ? (at < 0 ? -1 : at - 1) : at + 1)
          else if (event.key === 'Escape' && query !== '') choices.setQuery('')
          else if (event.key === 'Escape') canvasBeside(event.currentTarget)?.focus()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <span className={styles.hits} role="status">
        {found ? (hits.length === 0 ? 'none' : `${at < 0 ? '' : `${at + 1}/`}${hits.length}`) : ''}
      </span>
    </label>
  )
}

const canvasBeside = (field: Element) =>
  field.closest('[role=tabpanel]')?.querySelector<HTMLElement>('[data-chart-canvas]')

interface Hit {
  readonly target: ChartTarget
  readonly at: { readonly x: number; readonly y: number }
}

function hitsOf(found: NonNullable<ChartChoices['found']>, { boxes, edges }: PlacedChart): readonly Hit[] {
  const drawn = new Map(boxes.map(box => [box.state.path, box]))
  const paths = new Set(found.states.map(path => drawnPath(path, drawn)))
  const states = boxes.filter(({ state }) => paths.has(state.path))
  const names = new Set(found.transitions)
  const arrows = edges.filter(({ edge }) => edge.names.some(name => names.has(name)))
  return [
    ...states.map((box): Hit => ({
      target: { kind: 'state', path: box.state.path },
      at: { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 60) / 2 },
    })),
    ...arrows.map(({ edge, label }): Hit => ({
      target: { kind: 'transitions', edge: edge.id, names: edge.names.filter(name => names.has(name)) },
      at: { x: label.x + label.width / 2, y: label.y + label.height / 2 },
    })),
  ]
}
