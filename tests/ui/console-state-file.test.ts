// State of a trace file: value queries to its worker, and large records.
import { expect, it } from 'vitest'
import { encodeValue } from '../../src/trace/index.ts'
import type { TraceRecord } from '../../src/trace/format/records.ts'
import { openFileTrace } from '../../src/ui/console/model/file-trace.ts'
import { createTraceHost } from '../../src/ui/console/model/trace-host.ts'
import type { FromReader } from '../../src/ui/console/model/trace-messages.ts'
import { ChangeHistory } from '../../src/ui/console/state/change-history.ts'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'

const start = () => {
  let receive: (message: FromReader) => void = () => undefined
  const handle = createTraceHost((answer, transfer = []) => receive(structuredClone(answer, { transfer })))
  return {
    post: (message: Parameters<typeof handle>[0]) => void handle(message),
    listen: (onMessage: typeof receive) => void (receive = onMessage),
  }
}

async function open(contexts: readonly unknown[]) {
  const steps = stepRecords(contexts.map(context => ({ actor: 0, type: 'tick', value: 'on', context })))
  const actors = actorEntries(['root', 'root'])
  const records: readonly TraceRecord[] = [traceSource({ actors, steps: [] }).header, ...actors, ...steps]
  const text = records.map(record => `${JSON.stringify(encodeValue(record))}\n`).join('')
  const opened = await openFileTrace(new File([text], 'a.trace'), {
    signal: new AbortController().signal,
    start,
  })
  if (opened.kind === 'refused') throw new Error(opened.message)
  await opened.file.whenRead
  return { file: opened.file, steps }
}

it('the history of a value is searched in the worker', async () => {
  const { file } = await open([{ a: { n: 1 } }, { a: { n: 1 } }, { a: { n: 12n } }, {}])
  const history = new ChangeHistory({ ...file, actor: 0, pointer: '/context/a/n' })
  await history.look(
    () => undefined,
    () => Promise.resolve(0),
    new AbortController().signal,
  )
  await history.want([0, 1, 2, 3], () => undefined)
  expect(history.seqs.map(seq => [seq, history.before(seq), history.after(seq)])).toEqual([
    [0, '', '1'],
    [2, '1', '12n'],
    [3, '12n', ''],
  ])
  expect([history.preview(0), history.preview(2)]).toEqual([{ text: '1', number: 1 }, { text: '12n' }])
})

it('a large record arrives whole, and is cached from then on', async () => {
  const { file, steps } = await open([{ text: 'x'.repeat(600_000), at: new Date(0) }])
  expect(file.details.peek(0)).toBe(undefined)
  expect(await file.details.record(0)).toEqual(steps[0])
  expect(file.details.peek(0)).toEqual(steps[0])
})
