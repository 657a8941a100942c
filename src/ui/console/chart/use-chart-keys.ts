// Keyboard control of the chart: moving between states, opening cards, folding, panning and zooming.
import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react'
import { plural } from '../text.ts'
import type { Point } from './chart-geometry.ts'
import { drawnPath } from './chart-parts.ts'
import type { DrawingProps } from './drawing.tsx'
import { nextState, parentOf, type Heading } from './travel.ts'
import type { View } from './use-view-port.ts'

const HEADINGS: Readonly<Record<string, Heading>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
const STEP = 60
const PANS: Readonly<Record<Heading, Point>> = {
  left: { x: STEP, y: 0 },
  right: { x: -STEP, y: 0 },
  up: { x: 0, y: STEP },
  down: { x: 0, y: -STEP },
}
const ZOOMS: Readonly<Record<string, number>> = { '+': 1.25, '=': 1.25, '-': 0.8 }

interface Wanted extends DrawingProps {
  readonly view: View
  readonly announce: (text: string) => void
}

/** Handles keys on the chart's canvas and centers a state. */
export function useChartKeys(wanted: Wanted) {
  const { layout, view, choices, activity, chart } = wanted
  const { placed } = layout
  const drawn = new Map(placed.boxes.map(box => [box.state.path, box]))
  const at = choices.target?.kind === 'state' ? choices.target.path : undefined
  const here = () => at ?? [...activity.entered][0] ?? [...activity.active].at(-1) ?? ''

  const go = (path: string) => {
    choices.setTarget({ kind: 'state', path })
    wanted.announce(spokenState(path, wanted))
    show(path)
  }
  const show = (path: string) => {
    const box = drawn.get(drawnPath(path, drawn))
    if (!box) return
    const middle = { x: box.x + Math.min(box.width, 200) / 2, y: box.y + Math.min(box.height, 80) / 2 }
    const { visible } = view.port
    const isSeen =
      box.x >= visible.x &&
      box.y >= visible.y &&
      box.x + Math.min(box.width, 200) <= visible.x + visible.width &&
      box.y + Math.min(box.height, 80) <= visible.y + visible.height
    if (!isSeen) view.take(() => view.port.center(middle))
  }
  const center = (path: string) => {
    go(path)
    if (layout.isFocus && !drawn.has(path)) {
      wished.current = path
      return choices.set({ mode: 'whole' })
    }
    const box = drawn.get(drawnPath(path, drawn))
    if (!box) return
    const scale = Math.max(view.port.view.scale, 0.9)
    view.take(() => view.port.center({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, scale))
  }
  const wished = useRef<string>(undefined)
  const bring = useEffectEvent(() => {
    const path = wished.current
    wished.current = undefined
    if (path !== undefined) center(path)
  })
  useEffect(() => {
    if (!layout.isFocus) bring()
  }, [layout])
  /** In focus mode, inactive states are folded. */
  const fold = (path: string) =>
    layout.isFocus && !activity.active.has(path) ? choices.set({ mode: 'whole' }) : choices.fold(path)
  const first = () => chart.root.states[0]?.path ?? ''
  const actions: Readonly<Record<string, () => void>> = {
    Enter: () => {
      if (at === undefined) go(drawnPath(here(), drawn))
      choices.setOpen(true)
    },
    Escape: () => (choices.query === '' ? choices.setTarget(undefined) : choices.setQuery('')),
    Home: () => go(drawnPath([...activity.entered][0] ?? [...activity.active].at(-1) ?? first(), drawn)),
    PageUp: () => go(parentOf(here()) || here()),
    PageDown: () => go(choices.states.get(here())?.states[0]?.path ?? here()),
    c: () => {
      const path = here()
      if ((choices.states.get(path)?.states.length ?? 0) > 0) fold(path)
    },
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const heading = HEADINGS[event.key]
    const factor = ZOOMS[event.key]
    const action = actions[event.key]
    if (heading && event.shiftKey) view.take(() => view.port.move(PANS[heading]))
    else if (heading) go(at === undefined ? drawnPath(here(), drawn) : nextState(placed, at, heading))
    else if (factor !== undefined) view.take(() => view.port.zoom(factor))
    else if (action) action()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { onKeyDown, center, fold }
}

/** `refreshing, active, entered 3 times`. */
function spokenState(path: string, { activity, counts, choices }: Wanted): string {
  const visits = counts.states.get(path) ?? 0
  const state = choices.states.get(path)
  return [
    path,
    ...(activity.active.has(path) ? ['active'] : []),
    ...(state?.type === 'final' || state?.type === 'history' ? [state.type] : []),
    visits === 0 ? 'never entered' : `entered ${plural(visits, 'time')}`,
  ].join(', ')
}
