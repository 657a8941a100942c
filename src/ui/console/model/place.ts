// The place that all views of the console share: moment, actor, range, query, layout and pins; and its
// selection in a trace.
import type { Cut, Timeline } from '../../../trace/index.ts'
import { START_FRAME, type FrameLayout } from './frame-layout.ts'

/** Tab ids of the middle; more may be added. */
export type CenterView = string

export interface Layout {
  /** Tab in the middle. */
  readonly center: CenterView
  /** Tab on the right. */
  readonly inspector: string
  /** Whether the log is grouped by cause. */
  readonly grouped: boolean
  /** The comparison in the diff. */
  readonly diff: Comparison
  /** Visible panes and their positions. */
  readonly frame: FrameLayout
  /** How the chart is drawn, in the format of `chart/use-chart-choices.ts`; '' for the default. */
  readonly chart: string
}

/**
 * Compares the selected step with the one before, the moment with mark A, or mark A with mark B; for one
 * actor or all.
 */
export const COMPARISONS = ['before', 'a', 'ab', 'all-a', 'all-ab'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** Two moments to compare: step numbers. */
export interface Marks {
  readonly a?: number
  readonly b?: number
}

/** The choices of the user. */
export interface Place {
  /** The shown moment: everything up to this step; undefined while following the end. */
  readonly seq?: number
  /** Index of the actor, or its path while the trace does not contain it yet. */
  readonly actor?: number | string
  /** Milliseconds since the recording began, from and to; undefined for the whole recording. */
  readonly range?: readonly [from: number, to: number]
  readonly query: string
  readonly layout: Layout
  readonly marks: Marks
  /** Pinned values, as texts of `textOfPin`. */
  readonly pins: readonly string[]
}

export type PlaceAction =
  /** Selects a step and its actor. */
  | { readonly type: 'record'; readonly seq: number; readonly actor: number; readonly how?: 'step' | 'jump' }
  /** Selects an actor at the same moment. */
  | { readonly type: 'actor'; readonly actor: number }
  /** Selects a moment without changing the actor, as when scrubbing. */
  | { readonly type: 'moment'; readonly seq: number }
  | { readonly type: 'range'; readonly range: Place['range'] }
  | { readonly type: 'query'; readonly query: string }
  | { readonly type: 'layout'; readonly layout: Partial<Layout> }
  /** Sets a mark, or removes it if the number is missing. */
  | { readonly type: 'mark'; readonly mark: 'a' | 'b'; readonly seq: number | undefined }
  /** Pins or unpins a value. */
  | { readonly type: 'pin'; readonly pin: string; readonly isPinned: boolean }
  /** Follows the end. */
  | { readonly type: 'end' }
  /** The oldest part of the trace was dropped, and numbers decreased. */
  | { readonly type: 'cut'; readonly cut: Cut }
  /** Another trace: choices made in the previous one do not apply. */
  | { readonly type: 'reset' }
  /** Applies the place of the URL. */
  | { readonly type: 'go'; readonly place: Place }

const DEFAULT_LAYOUT: Layout = {
  center: 'chart',
  inspector: 'diff',
  grouped: false,
  diff: 'before',
  frame: START_FRAME,
  chart: '',
}
export const START: Place = { query: '', layout: DEFAULT_LAYOUT, marks: {}, pins: [] }

/** Applies an action. The same place stays the same object. */
export function move(place: Place, action: PlaceAction): Place {
  switch (action.type) {
    case 'record': {
      const { seq, actor } = action
      return place.seq === seq && place.actor === actor ? place : { ...place, seq, actor }
    }
    case 'actor':
      return place.actor === action.actor ? place : { ...place, actor: action.actor }
    case 'moment':
      return place.seq === action.seq ? place : { ...place, seq: action.seq }
    case 'range': {
      const { range: _, ...rest } = place
      return action.range ? { ...rest, range: action.range } : place.range ? rest : place
    }
    case 'query':
      return place.query === action.query ? place : { ...place, query: action.query }
    case 'layout':
      return { ...place, layout: { ...place.layout, ...action.layout } }
    case 'mark':
      return withMark(place, action.mark, action.seq)
    case 'pin':
      return withPin(place, action.pin, action.isPinned)
    case 'end': {
      const { seq, ...rest } = place
      return seq === undefined ? place : rest
    }
    case 'reset':
      return { query: '', layout: place.layout, marks: {}, pins: place.pins }
    case 'cut':
      return afterCut(place, action.cut)
    case 'go':
      return action.place
  }
}

/** Renumbers moment and actor; dropped ones are replaced by existing ones. */
function afterCut({ seq, actor, marks: { a, b }, ...place }: Place, cut: Cut): Place {
  const now = (step: number | undefined) => (step === undefined ? undefined : step - cut.steps)
  const [at, ofA, ofB] = [now(seq), now(a), now(b)]
  const who = typeof actor === 'number' ? cut.actor(actor) : actor
  const has = (step: number | undefined): step is number => step !== undefined && step >= 0
  return {
    ...place,
    ...(at !== undefined && { seq: Math.max(0, at) }),
    ...(who !== undefined && { actor: who }),
    marks: { ...(has(ofA) && { a: ofA }), ...(has(ofB) && { b: ofB }) },
  }
}

function withMark(place: Place, mark: 'a' | 'b', seq: number | undefined): Place {
  if (place.marks[mark] === seq) return place
  const { [mark]: _, ...others } = place.marks
  return { ...place, marks: seq === undefined ? others : { ...others, [mark]: seq } }
}

function withPin(place: Place, pin: string, isPinned: boolean): Place {
  if (place.pins.includes(pin) === isPinned) return place
  const pins = isPinned ? [...place.pins, pin] : place.pins.filter(other => other !== pin)
  return { ...place, pins }
}

/** The mark to set next: A, then B, which moves from then on. */
export const nextMark = ({ a }: Marks): 'a' | 'b' => (a === undefined ? 'a' : 'b')

/** A value, by its actor's path and a JSON pointer into the actor: `/state`, or below `/context`. */
export interface Pin {
  readonly actor: string
  readonly path: string
}

export const textOfPin = ({ actor, path }: Pin): string => `${actor}#${path}`

/** Parses a pin; returns undefined for an invalid text. */
export function pinOf(text: string): Pin | undefined {
  const at = text.indexOf('#/')
  return at > 0 ? { actor: text.slice(0, at), path: text.slice(at + 1) } : undefined
}

/** Joins all pins to one URL value. */
export const joinPins = (pins: readonly string[]): string =>
  pins.map(pin => pin.replaceAll('%', '%25').replaceAll('|', '%7C')).join('|')

/** Returns the pins in a URL value; invalid ones are ignored. */
export function splitPins(text: string): readonly string[] {
  const pins = text.split('|').map(pin => pin.replaceAll('%7C', '|').replaceAll('%25', '%'))
  return [...new Set(pins)].filter(pin => pinOf(pin) !== undefined)
}

/** The resolved selection. */
export interface Selection {
  readonly timeline: Timeline
  /** The moment: the last step that has happened; -1 if there is none. */
  readonly at: number
  /** Whether the moment is the end, which moves as the trace grows. */
  readonly following: boolean
  readonly actor: number
  /** The selected step: the actor's latest at the moment; -1 if it has none. */
  readonly seq: number
}

/** Resolves the place against the first `size` steps of the timeline. What it does not contain is ignored. */
export function select(place: Place, timeline: Timeline, size: number): Selection {
  const last = size - 1
  const isThere = place.seq !== undefined && place.seq <= last
  const at = isThere ? (place.seq ?? last) : last
  const actor = actorAt(place, timeline)
  return { timeline, at, following: !isThere, actor, seq: timeline.lastOf(actor, at) }
}

function actorAt({ actor }: Place, timeline: Timeline): number {
  if (typeof actor === 'number' && actor < timeline.actors.length) return actor
  const named = typeof actor === 'string' ? timeline.actors.find(({ path }) => path === actor) : undefined
  return named?.index ?? firstActor(timeline)
}

/** Default selection: the session if there is one, else the root. */
function firstActor({ actors }: Timeline): number {
  const isSession = (path: string) => path.slice(path.lastIndexOf('/') + 1) === 'session'
  return actors.find(({ path }) => isSession(path))?.index ?? 0
}
