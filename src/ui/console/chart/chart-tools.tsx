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
} from 'lucide-react'
import { memo, useCallback, useEffect, useRef, useSyncExternalStore, type RefObject } from 'react'
import type { MachineChart } from '../../../trace/index.ts'
import { IconButton } from '../../widgets/button.tsx'
import type { Counts } from './chart-counts.ts'
import { ExportMenu } from './chart-export-menu.tsx'
import type { PlacedChart } from './placed-chart.ts'
import { SearchField } from './search-field.tsx'
import styles from './tools.module.css'
import type { ChartChoices } from './use-chart-choices.ts'
import type { View } from './use-view-port.ts'

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
      <IconButton
        size="s"
        label="Outline of the states"
        isOn={isOutlined}
        onPress={() => act(({ choices }) => choices.setOutlined(!isOutlined))}
      >
        <ListTree size={14} aria-hidden />
      </IconButton>
      <IconButton
        size="s"
        label="Actions, tags and descriptions in states"
        isOn={isFull}
        onPress={() => act(({ choices }) => choices.set({ detail: isFull ? 'brief' : 'full' }))}
      >
        <Rows3 size={14} aria-hidden />
      </IconButton>
      <IconButton
        size="s"
        label="Coverage: visits by all actors of this machine"
        isOn={isHeat}
        onPress={() => act(({ choices }) => choices.set({ isHeat: !isHeat }))}
      >
        <Flame size={14} aria-hidden />
      </IconButton>
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
      <IconButton
        size="s"
        label="Zoom out"
        shortcut="-"
        onPress={() => act(({ view }) => view.take(() => port.zoom(0.8)))}
      >
        <Minus size={14} aria-hidden />
      </IconButton>
      <Scale port={port} />
      <IconButton
        size="s"
        label="Zoom in"
        shortcut="+"
        onPress={() => act(({ view }) => view.take(() => port.zoom(1.25)))}
      >
        <Plus size={14} aria-hidden />
      </IconButton>
      <IconButton
        size="s"
        label="Fit the whole chart"
        shortcut="F"
        onPress={() => act(({ view }) => view.fitAll())}
      >
        <Maximize size={14} aria-hidden />
      </IconButton>
      <IconButton
        size="s"
        label="Follow the active states"
        isOn={following}
        onPress={() => act(({ view }) => view.follow())}
      >
        <Crosshair size={14} aria-hidden />
      </IconButton>
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
