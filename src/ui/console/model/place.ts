// The one place that all views of the console share: moment, actor, range, query and layout.

/** What the middle of the console shows; more may come. */
export type CentreView = string

export interface Layout {
  /** Tab in the middle. */
  readonly centre: CentreView
  /** Tab on the right. */
  readonly inspector: string
  /** Whether the log puts together what one cause led to. */
  readonly grouped: boolean
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
  /** Follows the end. */
  | { readonly type: 'end' }
  /** Another trace: what was chosen in the one before means nothing in it. */
  | { readonly type: 'reset' }
  /** As the URL says. */
  | { readonly type: 'go'; readonly place: Place }

const DEFAULT_LAYOUT: Layout = { centre: 'chart', inspector: 'diff', grouped: false }
export const START: Place = { query: '', layout: DEFAULT_LAYOUT }

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
    case 'end': {
      const { seq, ...rest } = place
      return seq === undefined ? place : rest
    }
    case 'reset':
      return { query: '', layout: place.layout }
    case 'go':
      return action.place
  }
}
