// Scroll positions for more rows than a browser can lay out: the scroller is shorter than all rows together.

/** Browsers limit element heights to little more than twice this. */
export const MOST_PIXELS = 8_000_000

/** The state of the scroller. */
export interface Place {
  /** The browser's `scrollTop`. */
  readonly top: number
  /** Pixels above `top` that the browser does not scroll: 0 when all rows fit. */
  readonly base: number
}

export interface Room {
  readonly count: number
  readonly size: number
  /** Height of the visible rows. */
  readonly height: number
}

export const AT_TOP: Place = { top: 0, base: 0 }

/** Height of all rows, and of the element that represents them. */
export const heights = ({ count, size }: Room): { readonly all: number; readonly drawn: number } => {
  const all = count * size
  return { all, drawn: Math.min(all, MOST_PIXELS) }
}

/**
 * The place after the browser scrolled to `top`. Up to a few screens scroll by pixels; longer jumps, as with
 * the scrollbar, go to the same share of all rows.
 */
export const scrolledTo = (before: Place, top: number, room: Room): Place => {
  const { all, drawn } = heights(room)
  if (all <= drawn) return { top, base: 0 }
  const most = drawn - room.height
  const share = Math.max(0, Math.min(1, top / most))
  const isFar = Math.abs(top - before.top) > 3 * room.height
  // At either end there is nothing beyond.
  if (isFar || share === 0 || share === 1) return { top, base: share * (all - room.height) - top }
  const base = Math.max(-top, Math.min(all - room.height - top, before.base))
  return { top, base }
}

/** The place whose first row starts `offset` pixels above. */
export const placeAt = (offset: number, room: Room): Place => {
  const { all, drawn } = heights(room)
  const wanted = Math.max(0, Math.min(all - room.height, offset))
  if (all <= drawn) return { top: wanted, base: 0 }
  const top = Math.round((wanted / (all - room.height)) * (drawn - room.height))
  return { top, base: wanted - top }
}

/** Distance to scroll to make a row fully visible; undefined when it is. */
export const offsetFor = (row: number, place: Place, { size, height }: Room): number | undefined => {
  const offset = place.top + place.base
  if (row * size < offset) return row * size
  if ((row + 1) * size > offset + height) return (row + 1) * size - height
  return undefined
}
