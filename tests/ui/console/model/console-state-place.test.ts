// Marks and pins of the console: setting them, and storing them in the URL.
import { expect, it } from 'vitest'
import { Timeline } from '../../../../src/trace/index.ts'
import { missingOf, readPlace, writePlace } from '../../../../src/ui/console/model/location.ts'
import {
  joinPins,
  pinOf,
  splitPins,
  textOfPin,
  move,
  nextMark,
  START,
  type PlaceAction,
} from '../../../../src/ui/console/model/place.ts'

const after = (...actions: readonly PlaceAction[]) => actions.reduce(move, START)
const mark = (name: 'a' | 'b', seq: number | undefined): PlaceAction => ({ type: 'mark', mark: name, seq })

it('sets mark A, then B, moves B, and removes both', () => {
  const one = after(mark(nextMark({}), 3))
  const two = move(one, mark(nextMark(one.marks), 9))
  const moved = move(two, mark(nextMark(two.marks), 12))
  expect([one.marks, two.marks, moved.marks]).toEqual([{ a: 3 }, { a: 3, b: 9 }, { a: 3, b: 12 }])
  expect(move(move(moved, mark('a', undefined)), mark('b', undefined))).toEqual(START)
  expect(move(moved, mark('b', 12))).toBe(moved)
  expect(move(moved, { type: 'reset' })).toEqual(START)
})

it('stores marks, the comparison and pins in the URL', () => {
  const pin = 'client/session#/context/token/exp'
  const place = after(
    mark('a', 0),
    mark('b', 7),
    { type: 'pin', pin, isPinned: true },
    { type: 'pin', pin, isPinned: true },
    { type: 'pin', pin: 'a|b%7C#/state', isPinned: true },
    { type: 'layout', layout: { diff: 'all-ab' } },
  )
  const params = writePlace(place, new Timeline())
  expect(params).toEqual({ a: '0', b: '7', diff: 'all-ab', pin: `${pin}|a%7Cb%257C#/state` })
  expect(readPlace(params)).toEqual({ place, hints: [] })
  expect(move(place, { type: 'pin', pin, isPinned: false }).pins).toEqual(['a|b%7C#/state'])
})

it('ignores invalid marks, comparisons and pins', () => {
  expect(readPlace({ a: 'x', b: '-1', diff: 'sideways', pin: 'nothing' })).toEqual({
    place: START,
    hints: ['“x” is not an event number for mark A.', '“-1” is not an event number for mark B.'],
  })
})

it('reports marks that the recording does not contain', () => {
  expect(missingOf(after(mark('a', 4), mark('b', 9)), new Timeline())).toEqual([
    'There is no event 4 in this recording for mark A.',
    'There is no event 9 in this recording for mark B.',
  ])
})

it('parses pins as they are written', () => {
  const pin = { actor: 'client/session', path: '/context/a~1b/#' }
  expect(pinOf(textOfPin(pin))).toEqual(pin)
  expect([pinOf('#/context'), pinOf('client')]).toEqual([undefined, undefined])
  expect(splitPins(joinPins(['a#/state', 'a#/state', 'b%7C#/context']))).toEqual([
    'a#/state',
    'b%7C#/context',
  ])
})
