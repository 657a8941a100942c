// The space bar: pauses following a live trace and resumes it; plays a file from the moment or from the
// start.
import { expect, test, vi } from 'vitest'
import { START } from '../../../../src/ui/console/model/place.ts'
import { memoryTrace } from '../../../../src/ui/console/model/shown-trace.ts'
import { usePlaying } from '../../../../src/ui/console/transport/use-playing.ts'
import '../../../harness/react.tsx'
import { actorEntries, traceSource, stepRecords } from '../../console-trace.ts'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

vi.stubGlobal('requestAnimationFrame', () => 0)
vi.stubGlobal('cancelAnimationFrame', () => undefined)

const trace = memoryTrace(
  traceSource({
    actors: actorEntries(['door', 'door']),
    steps: stepRecords(['open', 'shut', 'open'].map(value => ({ actor: 0, type: 'go', value }))),
  }),
)
trace.feed.advance(10)

interface Situation {
  readonly isLive: boolean
  readonly isFollowing: boolean
  readonly at: number
}

/** What the space bar does there. */
async function pressed(situation: Situation): Promise<unknown[]> {
  const done: unknown[] = []
  function Probe() {
    const { timeline } = trace
    const go = (action: unknown) => void done.push(action)
    const { toggle } = usePlaying({ timeline, size: timeline.size, place: START, go, ...situation })
    return (
      <button type="button" onClick={toggle}>
        Play
      </button>
    )
  }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(<Probe />))
  await act(async () => place.querySelector('button')?.click())
  await act(async () => root.unmount())
  return done
}

test.each<[string, Situation, unknown[]]>([
  ['live, at the end', { isLive: true, isFollowing: true, at: 2 }, [{ type: 'moment', seq: 2 }]],
  ['paused at the end of a live trace', { isLive: true, isFollowing: false, at: 2 }, [{ type: 'end' }]],
  ['paused before the end of a live trace', { isLive: true, isFollowing: false, at: 1 }, []],
  ['at the end of a file', { isLive: false, isFollowing: true, at: 2 }, [{ type: 'moment', seq: 0 }]],
])('%s', async (_, situation, done) => {
  expect(await pressed(situation)).toEqual(done)
})
