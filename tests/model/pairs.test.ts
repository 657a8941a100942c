// Each event is handled in each state, cannot arrive there, or is ignored for a documented reason.
import { describe, expect, test } from 'vitest'
import { documented } from '../../scripts/machine-docs/documented.ts'
import { ignored, means } from '../../scripts/machine-docs/ignored.ts'

describe.each(documented)('$id', ({ id, pairs }) => {
  const entries = ignored[id].flatMap(({ event, states }) => states.map(state => ({ event, state })))

  test('unhandled events have a reason', () => {
    const unexplained = pairs.filter(
      pair => !entries.some(entry => entry.event === pair.event && means(entry.state, pair.state)),
    )
    expect(unexplained).toEqual([])
  })

  test('events with a reason are unhandled', () => {
    const stale = entries.filter(
      entry => !pairs.some(pair => entry.event === pair.event && means(entry.state, pair.state)),
    )
    expect(stale).toEqual([])
  })
})
