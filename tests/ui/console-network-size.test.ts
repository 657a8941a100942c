// Response sizes: recorded with a plain response, or at the end of a streamed body; unknown until then.
import { expect, test } from 'vitest'
import { toHar } from '../../src/trace/exports/export-trace.ts'
import { LiveFeed } from '../../src/trace/index.ts'
import { wholeOf } from '../../src/ui/console/canvas/time-scale.ts'
import { networkRows } from '../../src/ui/console/network/network-rows.ts'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'

const calls = ['/rest/v1/vessels', '/functions/v1/watch', '/rest/v1/older']
const paths = calls.flatMap((_, n) => [
  [`client/requests/request.${n}`, 'request'] as const,
  [`client/requests/request.${n}/send`, 'send'] as const,
])
const answered = (n: number, event: object) => ({
  actor: 2 + 2 * n,
  from: 3 + 2 * n,
  type: 'send.answered',
  event: { type: 'send.answered', status: 200, ...event },
})
const source = traceSource({
  actors: actorEntries(['client', 'client'], ['client/requests', 'requests'], ...paths),
  steps: stepRecords([
    ...calls.flatMap((path, n) => [
      {
        actor: 2 + 2 * n,
        type: 'xstate.init',
        event: { type: 'xstate.init', input: { info: { method: 'GET', path } } },
      },
      { actor: 3 + 2 * n, type: 'xstate.init' },
    ]),
    answered(0, { bytes: 2_048 }),
    answered(1, { streaming: true }),
    { actor: 4, from: 5, type: 'body.ended', event: { type: 'body.ended', bytes: 70_000 } },
    answered(2, {}),
  ]),
})

test('are shown in the network view, which can be sorted by them', () => {
  const feed = new LiveFeed(source)
  feed.advance(Infinity)
  const rows = networkRows(feed.timeline, wholeOf(feed.timeline.end), { column: 'size', isDescending: true })
  expect(rows.map(({ wire, bytes }) => [wire.path, bytes])).toEqual([
    ['/functions/v1/watch', 70_000],
    ['/rest/v1/vessels', 2_048],
    ['/rest/v1/older', undefined],
  ])
})

test('are included in the HAR of a run', () => {
  const header = { ...source.header, system: 'chartroom' }
  const { log } = JSON.parse(toHar({ ...source, header })) as {
    log: { entries: { response: { content: { size: number } } }[] }
  }
  expect(log.entries.map(({ response }) => response.content.size)).toEqual([2_048, 70_000, -1])
})
