// The one place that all views of the console share: moment, actor, range, query and layout.
import type { Cut } from '../../../trace/timeline/live-feed.ts'
import { START_FRAME, type FrameLayout } from './frame-layout.ts'

/** What the middle of the console shows; more may come. */
export type CentreView = string

export interface Layout {
  /** Tab in the middle. */
  readonly centre: CentreView
  /** Tab on the right. */
  readonly inspector: string
  /** Whether the log puts together what one cause led to. */
  readonly grouped: boolean
  /** What the diff compares. */
  readonly diff: Comparison
  /** Which panes are shown, and where. */
  readonly frame: FrameLayout
  /** How the chart is drawn, as a text that `chart/chart-mode.ts` reads and writes; '' as at the start. */
  readonly chart: string
}

/** The selected step with the one before, the moment with mark A, or mark A with mark B; of one actor or of all. */
export const COMPARISONS = ['before', 'a', 'ab', 'all-a', 'all-ab'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** Two moments to compare: numbers of views. */
export interface Marks {
  readonly a?: number
  readonly b?: number
}

/** What the user chose. */
export interface Place {
  /** The moment looked at: everything up to this view; absent while following the end. */
  readonly seq?: number
  /** Index of the actor, or its path while the trace has none of that path yet. */
  readonly actor?: number | string
  /** Milliseconds since the recording began, from and to; absent for all of it. */
  readonly range?: readonly [from: number, to: number]
  readonly query: string
  readonly layout: Layout
  readonly marks: Marks
  /** Values that stay in view, as texts that `model/pins.ts` reads and writes. */
  readonly pins: readonly string[]
}

export type PlaceAction =
  /** Choosing a view chooses its actor. */
  | { readonly type: 'record'; readonly seq: number; readonly actor: number; readonly how?: 'step' | 'jump' }
  /** Choosing an actor keeps the moment. */
  | { readonly type: 'actor'; readonly actor: number }
  /** A moment without regard to an actor, as when scrubbing. */
  | { readonly type: 'moment'; readonly seq: number }
  | { readonly type: 'range'; readonly range: Place['range'] }
  | { readonly type: 'query'; readonly query: string }
  | { readonly type: 'layout'; readonly layout: Partial<Layout> }
  /** Sets a mark, or with no number takes it away. */
  | { readonly type: 'mark'; readonly mark: 'a' | 'b'; readonly seq: number | undefined }
  /** Pins a value, or takes the pin away. */
  | { readonly type: 'pin'; readonly pin: string; readonly isPinned: boolean }
  /** Follows the end. */
  | { readonly type: 'end' }
  /** The oldest part of the trace was let go, and numbers went down. */
  | { readonly type: 'cut'; readonly cut: Cut }
  /** Another trace: what was chosen in the one before means nothing in it. */
  | { readonly type: 'reset' }
  /** As the URL says. */
  | { readonly type: 'go'; readonly place: Place }

const DEFAULT_LAYOUT: Layout = {
  centre: 'chart',
  inspector: 'diff',
  grouped: false,
  diff: 'before',
  frame: START_FRAME,
  chart: '',
}
export const START: Place = { query: '', layout: DEFAULT_LAYOUT, marks: {}, pins: [] }

/** Moves. The same place stays the same object. */
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

/** The same moment and actor under their new numbers; what is gone gives way to what is there. */
function afterCut({ seq, actor, marks: { a, b }, ...place }: Place, cut: Cut): Place {
  const now = (view: number | undefined) => (view === undefined ? undefined : view - cut.views)
  const [at, ofA, ofB] = [now(seq), now(a), now(b)]
  const who = typeof actor === 'number' ? cut.actor(actor) : actor
  const has = (view: number | undefined): view is number => view !== undefined && view >= 0
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

/** The mark that is set next: A, then B, which moves from then on. */
export const nextMark = ({ a }: Marks): 'a' | 'b' => (a === undefined ? 'a' : 'b')
