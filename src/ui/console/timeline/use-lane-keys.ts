// Arrow keys in the timeline: between lanes, and between their events.
import { useEffect, type KeyboardEvent, type RefObject } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { revealing, type Range } from '../canvas/time-scale.ts'
import { ROW, RULER } from './scene.ts'
import type { LaneList } from './lanes.ts'

export interface LaneKeysOptions {
  readonly timeline: Timeline
  readonly list: LaneList
  readonly seq: number
  readonly actor: number
  readonly range: Range
  readonly full: Range
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly goTo: (range: Range) => void
  readonly toggle: (actor: number, isOpen: boolean) => void
  readonly onRecord: (seq: number) => void
  readonly onActor: (actor: number) => void
}

/** Returns the grid's key handler, and keeps the selection visible. */
export function useLaneKeys(options: LaneKeysOptions): (event: KeyboardEvent) => void {
  const { list, actor, scroller } = options
  const row = list.rowOf.get(actor)
  useEffect(() => {
    const element = scroller.current
    if (!element || row === undefined) return
    const [above, below] = [row * ROW, RULER + (row + 1) * ROW - element.clientHeight]
    if (element.scrollTop > above) element.scrollTo({ top: above })
    else if (element.scrollTop < below) element.scrollTo({ top: below })
  }, [row, scroller])
  return event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!act(event, options, row)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

function act({ key }: KeyboardEvent, options: LaneKeysOptions, row: number | undefined): boolean {
  const { timeline, list, seq, actor, range, full, goTo, toggle, onActor } = options
  const lane = row === undefined ? undefined : list.lanes[row]
  const toLane = (next: number) => {
    const found = list.lanes[Math.min(Math.max(0, next), list.lanes.length - 1)]
    if (found) onActor(found.actor)
  }
  const toRecord = (next: number) => {
    if (next < 0) return
    goTo(revealing(range, timeline.t(next), full))
    options.onRecord(next)
  }
  const steps = timeline.stepsOf(actor)
  const acts: Readonly<Record<string, () => void>> = {
    '0': () => goTo(full),
    Escape: () => goTo(full),
    ArrowUp: () => toLane((row ?? 1) - 1),
    ArrowDown: () => toLane((row ?? -1) + 1),
    ArrowLeft: () => toRecord(timeline.previous(seq)),
    ArrowRight: () => toRecord(timeline.nextOf(actor, seq)),
    Home: () => toRecord(steps[0] ?? -1),
    End: () => toRecord(steps.at(-1) ?? -1),
    Enter: () => lane && toggle(lane.actor, !lane.isOpen),
  }
  const found = acts[key]
  found?.()
  return found !== undefined
}
