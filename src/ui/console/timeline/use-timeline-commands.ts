// Timeline commands: zooming, panning, and going to useful ranges.
import { useMemo, type RefObject } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { panned, zoomed, type Range } from '../canvas/time-scale.ts'
import { useCommands, useKeyNotes } from '../commands/use-commands.ts'
import type { ConsoleCommand, KeyNote } from '../commands/command.ts'
import type { Marks } from '../model/place.ts'
import { rangeOfLife, rangeOfMarks, rangeOfState } from './ranges.ts'

export interface TimelineCommandsOptions {
  readonly timeline: Timeline
  readonly seq: number
  readonly actor: number
  readonly range: Range
  readonly full: Range
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
