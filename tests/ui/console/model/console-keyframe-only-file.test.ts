// A file recorded without steps, opened in the console: its worker derives them.
import { expect, test } from 'vitest'
import { openFileTrace } from '../../../../src/ui/console/model/file-trace.ts'
import { createTraceHost } from '../../../../src/ui/console/model/trace-host.ts'
import type { FromReader } from '../../../../src/ui/console/model/trace-messages.ts'
import { recordedClient } from '../../../harness/recorded-run.ts'

const start = () => {
  let receive: (message: FromReader) => void = () => undefined
  const handle = createTraceHost((answer, transfer = []) => receive(structuredClone(answer, { transfer })))
  return {
    post: (message: Parameters<typeof handle>[0]) => void handle(message),
    listen: (onMessage: typeof receive) => void (receive = onMessage),
  }
}

async function open(lines: readonly string[]) {
  const file = new File([lines.join('\n')], 'a.trace')
  const result = await openFileTrace(file, { signal: new AbortController().signal, start })
  if (result.kind === 'opened') await result.file.whenRead
  return result
}

function run(views: boolean): string[] {
  const { clock, recorder } = recordedClient(undefined, 1, undefined, views)
  clock.advance(60_000)
  recorder.stop()
  return recorder.lines()
}

test('its steps equal those of a recording with steps', async () => {
  const [lean, full] = [await open(run(false)), await open(run(true))]
  if (lean.kind === 'refused' || full.kind === 'refused') throw new Error('refused')
  const { timeline, header } = lean.file
  expect(header).toEqual({ ...full.file.header, startedAt: header.startedAt })
  expect([timeline.size, timeline.stimuli]).toEqual([full.file.timeline.size, full.file.timeline.stimuli])
  expect(timeline.size).toBeGreaterThan(10)
})

test('a file of another system is rejected, with advice', async () => {
  const lines = run(false).map(line => line.replace('"system":"chartroom"', '"system":"till"'))
  expect(await open(lines)).toEqual({
    kind: 'refused',
    name: 'a.trace',
    message: expect.stringContaining(
      `This trace was recorded without steps, and they could not be derived: unknown system "till"`,
    ) as string,
  })
})
