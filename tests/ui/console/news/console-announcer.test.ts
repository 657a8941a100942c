// Screen reader announcements of the place: steps and modes, but not each live or played event.
import { expect, test } from 'vitest'
import { LiveFeed } from '../../../../src/trace/index.ts'
import { placeNews } from '../../../../src/ui/console/news/news-line.tsx'
import { actorEntries, traceSource, stepRecords } from '../../console-trace.ts'

const feed = new LiveFeed(
  traceSource({
    actors: actorEntries(['client', 'client'], ['client/door', 'door']),
    steps: stepRecords([
      { actor: 0, type: 'xstate.init', value: 'idle' },
      { actor: 1, type: 'open', value: 'open' },
    ]),
  }),
)
feed.advance(Infinity)
const { timeline } = feed
const still = { timeline, live: true, following: false, isPlaying: false, at: 1 }

test.each([
  ['a step into the past, with its event and actor', still, 'Past, event 1: open, client/door'],
  ['following the end, the same for each event', { ...still, following: true }, 'Live'],
  ['the end of a file', { ...still, following: true, live: false }, 'End of the recording'],
  ['playing, the same for each event', { ...still, isPlaying: true }, 'Playing'],
  ['no event if there is none', { ...still, at: -1 }, 'Live'],
])('announces %s', (_, standing, expected) => {
  expect(placeNews(standing)).toBe(expected)
})
