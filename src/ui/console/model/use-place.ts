// The place as React state, kept in the URL: quick steps change the present entry, jumps make one to come back to.
import { useEffect, useReducer, useRef, useState } from 'react'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { isSameParams, readPlace, writePlace, type ConsoleLocation, type PlaceParams } from './location.ts'
import { move, START, type Place, type PlaceAction } from './place.ts'

/** Browsers refuse more than some changes of the URL a second; nobody reads them either. */
const WRITE_MS = 250

interface Moved {
  readonly place: Place
  /** Whether the last change is worth coming back to. */
  readonly isJump: boolean
}

function moved({ place }: Moved, action: PlaceAction): Moved {
  const isJump = action.type === 'actor' || action.type === 'end' || isFarStep(action)
  return { place: move(place, action), isJump }
}

const isFarStep = (action: PlaceAction): boolean => action.type === 'record' && action.how !== 'step'

/** The place, how to change it, and what was wrong with the URL. `resets` count the traces that came into view. */
export function usePlace(location: ConsoleLocation) {
  const [first] = useState(() => readPlace(location.read()))
  const [{ place, isJump }, go] = useReducer(moved, { place: first.place, isJump: false })
  const [hints, setHints] = useState(first.hints)
  useEffect(
    () =>
      location.subscribe(() => {
        const read = readPlace(location.read())
        setHints(read.hints)
        go({ type: 'go', place: read.place })
      }),
    [location],
  )
  return { place, isJump, go, hints, dismissHints: () => setHints([]) }
}

/** Writes the place into the URL, once it has rested for a moment; nothing changes while it is the same. */
export function useWrittenPlace(
  location: ConsoleLocation,
  { place, isJump }: { readonly place: Place; readonly isJump: boolean },
  timeline: Timeline,
): void {
  const written = useRef<PlaceParams>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => {
      const params = writePlace(place, timeline)
      const before = (written.current ??= location.read())
      if (isSameParams(before, params)) return
      written.current = params
      location.write(params, isJump && place !== START ? 'push' : 'replace')
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [location, place, isJump, timeline])
  useEffect(() => location.subscribe(() => (written.current = location.read())), [location])
}
