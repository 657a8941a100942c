// The place as React state, stored in the URL: quick steps replace the history entry, jumps add one.
import { useEffect, useReducer, useRef, useState } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { isSameParams, readPlace, writePlace, type ConsoleLocation, type PlaceParams } from './location.ts'
import { move, START, type Place, type PlaceAction } from './place.ts'

/** Browsers limit URL changes per second, and users do not read faster ones. */
const WRITE_MS = 250

interface Moved {
  readonly place: Place
  /** Whether the last change deserves a history entry. */
  readonly isJump: boolean
}

function moved({ place }: Moved, action: PlaceAction): Moved {
  const isJump = action.type === 'actor' || action.type === 'end' || isFarStep(action)
  return { place: move(place, action), isJump }
}

const isFarStep = (action: PlaceAction): boolean => action.type === 'record' && action.how !== 'step'

/** Returns the place, functions to change it, and problems with the URL. `resets` counts the traces shown. */
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

/** Writes the place to the URL after it has not changed for a moment. */
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
