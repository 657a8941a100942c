// Timeline commands: zooming, panning, and going to useful ranges.
import { useMemo, type RefObject } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { panned, zoomed, type Range, clamped } from '../canvas/time-scale.ts'
import { useCommands, useKeyNotes, type ConsoleCommand, type KeyNote } from '../commands/use-commands.ts'
import type { TimelinePlace } from './lanes.ts'
import type { Marks } from '../model/place.ts'

const ROOM = 0.1

function about(from: number, to: number, full: Range): Range {
  const room = Math.max(0.05, (to - from) * ROOM)
  return clamped([from - room, to + room], full)
}

/** Returns the time for which the state after a view lasted; for a final state, the actor's lifetime. */
export function rangeOfState(timeline: Timeline, seq: number, full: Range): Range | undefined {
  if (seq < 0 || seq >= timeline.size) return undefined
  const since = timeline.since(timeline.actor(seq), seq)
  const from = since < 0 ? seq : since
  // A final state has no duration.
  if (timeline.stayOf(from) === 0) return rangeOfLife(timeline, timeline.actor(seq), full)
  return about(timeline.t(from), timeline.t(from) + timeline.stayOf(from), full)
}

export function rangeOfLife(timeline: Timeline, actor: number, full: Range): Range | undefined {
  if (timeline.stepsOf(actor).length === 0) return undefined
  const { from, to } = timeline.lifeOf(actor)
  return about(from, to, full)
}

export function rangeOfMarks(timeline: Timeline, { a, b }: Marks, full: Range): Range | undefined {
  if (a === undefined || b === undefined || Math.max(a, b) >= timeline.size) return undefined
  return about(timeline.t(Math.min(a, b)), timeline.t(Math.max(a, b)), full)
}

export interface TimelineCommandsOptions extends TimelinePlace {
  readonly marks: Marks
  readonly goTo: (range: Range) => void
  readonly goToField: RefObject<HTMLInputElement | null>
}

const [CLOSER, FURTHER, PAN] = [0.7, 1 / 0.7, 0.15]

const NOTES: readonly KeyNote[] = [
  {
    id: 'timeline.events',
    section: 'Time',
    keys: ['ArrowLeft', 'ArrowRight'],
    text: 'Timeline: previous or next event of an actor',
  },
  {
    id: 'timeline.lanes',
    section: 'Time',
    keys: ['ArrowUp', 'ArrowDown'],
    text: 'Timeline: previous or next actor',
  },
  { id: 'timeline.fold', section: 'Time', keys: ['Enter'], text: 'Timeline: collapse or expand an actor' },
]

export function useTimelineCommands(options: TimelineCommandsOptions): void {
  const { timeline, seq, actor, range, full, marks, goTo, goToField } = options
  const commands = useMemo(() => {
    const t = timeline.t(seq)
    const about = t >= range[0] && t <= range[1] ? t : (range[0] + range[1]) / 2
    const view = (
      id: string,
      title: string,
      keys: readonly string[],
      next: Range | undefined,
      none = '',
    ) => ({
      id: `timeline.${id}`,
      title: `Timeline: ${title}`,
      section: 'Time' as const,
      keys,
      ...(next ? {} : { disabled: none }),
      run: () => next && goTo(next),
    })
    const list: readonly ConsoleCommand[] = [
      { ...view('closer', 'zoom in', ['W'], zoomed(range, about, CLOSER, full)), words: 'zoom in' },
      { ...view('further', 'zoom out', ['S'], zoomed(range, about, FURTHER, full)), words: 'zoom out' },
      { ...view('earlier', 'earlier', ['A'], panned(range, -PAN, full)), words: 'move left' },
      { ...view('later', 'later', ['D'], panned(range, PAN, full)), words: 'move right' },
      { ...view('whole', 'whole recording', ['F'], full), words: 'zoom fit whole range' },
      view('state', 'selected state', ['Shift+F'], rangeOfState(timeline, seq, full), 'No event is selected'),
      view(
        'life',
        'lifetime of the selected actor',
        [],
        rangeOfLife(timeline, actor, full),
        'No actor is selected',
      ),
      view(
        'marks',
        'from mark A to mark B',
        [],
        rangeOfMarks(timeline, marks, full),
        'Marks A and B are not both set',
      ),
      {
        id: 'timeline.goto',
        title: 'Timeline: go to a time or event',
        section: 'Time',
        keys: ['Shift+G'],
        words: 'jump clock',
        run: () => goToField.current?.focus(),
      },
    ]
    return list
  }, [timeline, seq, actor, range, full, marks, goTo, goToField])
  useCommands(commands)
  useKeyNotes(NOTES)
}
