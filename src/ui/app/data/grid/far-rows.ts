// Where rows are in a scroller that a browser would cut off: it scrolls fewer pixels than all rows have together.

/** Browsers hold no element much higher than twice this. */
export const MOST_PIXELS = 8_000_000

/** What is known of the scroller. */
export interface Place {
  /** As the browser has it. */
  readonly top: number
  /** What lies above that place, beyond what the browser scrolled: 0 where all rows have room. */
  readonly base: number
}

export interface Room {
  readonly count: number
  readonly size: number
  /** Height in which rows are seen. */
  readonly height: number
}

export const AT_TOP: Place = { top: 0, base: 0 }

/** Height of all rows, and that of the element that stands for them. */
export const heights = ({ count, size }: Room): { readonly all: number; readonly drawn: number } => {
  const all = count * size
  return { all, drawn: Math.min(all, MOST_PIXELS) }
}

/**
 * The place after the browser scrolled to `top`. A few screens are what they are; a longer way, as with the handle of
 * the bar, is the same share of all rows.
 */
export const scrolledTo = (before: Place, top: number, room: Room): Place => {
  const { all, drawn } = heights(room)
  if (all <= drawn) return { top, base: 0 }
  const most = drawn - room.height
  const share = Math.max(0, Math.min(1, top / most))
  const isFar = Math.abs(top - before.top) > 3 * room.height
  // At both ends there is nothing beyond.
  if (isFar || share === 0 || share === 1) return { top, base: share * (all - room.height) - top }
  const base = Math.max(-top, Math.min(all - room.height - top, before.base))
  return { top, base }
}

/** The place at which the rows begin `offset` pixels above. */
export const placeAt = (offset: number, room: Room): Place => {
  const { all, drawn } = heights(room)
  const wanted = Math.max(0, Math.min(all - room.height, offset))
  if (all <= drawn) return { top: wanted, base: 0 }
  const top = Math.round((wanted / (all - room.height)) * (drawn - room.height))
  return { top, base: wanted - top }
}

/** How far to go so that a row is seen whole; undefined when it is. */
export const offsetFor = (row: number, place: Place, { size, height }: Room): number | undefined => {
  const offset = place.top + place.base
  if (row * size < offset) return row * size
  if ((row + 1) * size > offset + height) return (row + 1) * size - height
  return undefined
}
