// Every state of every machine occurs, and calm can be reached from every situation.
import { describe, expect, test } from 'vitest'
import { deadEnds, declaredStates, explore } from './explore.ts'
import { walks } from './machines.ts'

describe.each(walks)('$id', ({ walk, isCalm: isAtRest }) => {
  const explored = explore(walk)

  test('every state is reachable', () => {
    expect(declaredStates(walk.machine).filter(path => !explored.reached.has(path))).toEqual([])
  })

  test('nothing is a dead end', () => {
    expect(deadEnds(explored, isAtRest)).toEqual([])
  })
})
