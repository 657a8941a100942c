// Opening a trace file: messages of the worker, rejected files, and early ends.
import { describe, expect, it } from 'vitest'
import type { TraceRecord } from '../../../../src/trace/format/records.ts'
import { encodeValue, ActorReference } from '../../../../src/trace/index.ts'
import { searchDeep, stateOf, whenChanged } from '../../../../src/ui/console/model/details.ts'
import {
  openFileTrace,
  type Opening,
  type ReaderThread,
} from '../../../../src/ui/console/model/file-trace.ts'
import { createTraceHost } from '../../../../src/ui/console/model/trace-host.ts'
import type { FromReader } from '../../../../src/ui/console/model/trace-messages.ts'
import { actorEntries, traceSource, stepRecords } from '../../console-trace.ts'

/** A reader behind a structured clone, as between threads. */
const otherThread = (): ReaderThread => {
  let receive: (message: FromReader) => void = () => undefined
  const handle = createTraceHost((answer, transfer = []) => receive(structuredClone(answer, { transfer })))
  return {
    post: message => void handle(message.kind === 'open' ? message : structuredClone(message)),
    listen: onMessage => (receive = onMessage),
  }
}
const opening = (rest: Partial<Opening> = {}): Opening => ({
  signal: new AbortController().signal,
  start: otherThread,
  ...rest,
})
const actors = actorEntries(['client', 'client'], ['client/session', 'session'])
const steps = (count: number, context: unknown = { n: 1 }) =>
  stepRecords(Array.from({ length: count }, (_, n) => ({ actor: n % 2, type: 'tick', value: 'on', context })))
const fileOf = (records: readonly TraceRecord[], name = 'a.trace') =>
  new File([records.map(record => `${JSON.stringify(encodeValue(record))}\n`).join('')], name)
const trace = (count: number, context?: unknown): readonly TraceRecord[] => [
  traceSource({ actors, steps: [] }).header,
  ...actors,
  ...steps(count, context),
]
const end = (count: number): TraceRecord => ({ line: 'end', stimuli: 0, steps: count })

async function opened(records: readonly TraceRecord[]) {
  const result = await openFileTrace(fileOf(records), opening())
  if (result.kind === 'refused') throw new Error(result.message)
  await result.file.whenRead
  return result.file
}

describe('openFileTrace', () => {
  it.each([
    ['', 'The file is empty.'],
    ['hello', 'Not a trace: the first line is not a header.'],
    [
      JSON.stringify({ line: 'header', format: 99 }),
      'Written by format 99; this build reads up to 1: update chartroom.',
    ],
  ])('rejects %j with a reason', async (text, message) => {
    expect(await openFileTrace(new File([text], 'a.trace'), opening())).toEqual({
      kind: 'refused',
      name: 'a.trace',
      message,
    })
  })

  it('returns every record unchanged, including values that a structured clone would break', async () => {
    const context = { self: new ActorReference('client'), why: new RangeError('no'), at: new Map([[1, 2n]]) }
    const { live, header, timeline, details, damage, share } = await opened([...trace(3, context), end(3)])
    expect([live, header, timeline.actors, timeline.stimuli, damage(), share()]).toEqual([
      false,
      trace(0)[0],
      actors,
      0,
      [],
      1,
    ])
    expect(details.peek(2)).toBe(undefined)
    expect(await Promise.all([0, 1, 2].map(seq => details.record(seq)))).toEqual(steps(3, context))
    expect(details.peek(2)).toEqual(steps(3, context)[2])
    await expect(details.record(3)).rejects.toThrow('3 is out of range: the length is 3')
  })

  it('reports the damage of a truncated file', async () => {
    const { timeline, damage } = await opened(trace(2))
    expect(timeline.size).toBe(2)
    expect(damage()).toEqual([{ atLine: 6, message: 'the file is truncated: its last line is missing' }])
  })

  it('can be viewed before it is fully read, and reports its progress', async () => {
    const file = fileOf([...trace(20_000, { text: 'x'.repeat(200) }), end(20_000)])
    const result = await openFileTrace(file, opening())
    if (result.kind === 'refused') throw new Error(result.message)
    const { timeline, details, share, whenRead } = result.file
    const [early, size] = [share(), timeline.size]
    expect([early > 0 && early < 0.5, size > 0 && size < 10_000]).toEqual([true, true])
    expect((await details.record(size - 1)).seq).toBe(size - 1)
    const shares: number[] = []
    timeline.subscribe(() => shares.push(share()))
    await whenRead
    expect([timeline.size, shares.length > 2, shares.at(-1)]).toEqual([20_000, true, 1])
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares)
  })

  it('reports a failure of the worker', async () => {
    const start = (): ReaderThread => ({
      post: () => undefined,
      listen: (_, onError) => onError('the reader could not be started'),
    })
    expect(await openFileTrace(fileOf(trace(1)), opening({ start }))).toEqual({
      kind: 'refused',
      name: 'a.trace',
      message: 'The file could not be read: the reader could not be started',
    })
  })

  it('ends with its signal: pending requests are rejected', async () => {
    const given = new AbortController()
    const silent = { post: () => undefined, listen: () => undefined }
    const result = openFileTrace(fileOf(trace(1)), opening({ signal: given.signal, start: () => silent }))
    given.abort()
    expect((await result).kind).toBe('refused')
  })

  it('a file that turns out to be invalid while it is shown is read, and damaged from there on', async () => {
    let receive: (message: FromReader) => void = () => undefined
    const start = (): ReaderThread => ({ post: () => undefined, listen: onMessage => (receive = onMessage) })
    const result = openFileTrace(fileOf(trace(1)), opening({ start }))
    receive({ kind: 'header', text: JSON.stringify(trace(0)[0]) })
    const none = { types: [], states: [], vias: [], faults: [], wire: [], bookmarks: [] }
    const [f, u, i, b] = [new Float64Array(), new Uint32Array(), new Int32Array(), new Uint8Array()]
    const columns = { t: f, actor: u, type: u, cause: i, by: i, from: i, state: u, via: u, flags: b }
    const block = { ...none, actors, steps: columns, stimuli: { t: f, to: u, from: i, kind: b } }
    receive({ kind: 'block', block, share: 0.5 })
    const opened = await result
    if (opened.kind === 'refused') throw new Error(opened.message)
    const { share, damage, whenRead } = opened.file
    expect([share(), damage()]).toEqual([0.5, []])
    receive({ kind: 'refused', message: 'Unpacks to more than 9 bytes; it is not read.' })
    await whenRead
    expect([share(), damage()]).toEqual([1, [{ message: 'unpacks to more than 9 bytes; it is not read' }]])
  })
})

describe('details of a file', () => {
  const counted = () => [
    ...trace(0),
    ...stepRecords(
      [1, 1, 1, 2, 2, 2, 2, 3].map((n, at) => ({ actor: at % 2, type: 'tick', context: { deep: { n } } })),
    ),
    end(8),
  ]

  it("find when a value changed, and an actor's state at a moment", async () => {
    const file = await opened(counted())
    expect(await whenChanged(file, 0, '/deep/n')).toEqual([0, 4])
    expect(await whenChanged(file, 1, '/deep/n')).toEqual([1, 3, 7])
    expect((await stateOf(file.timeline, file.details, 1, 4))?.seq).toBe(3)
    expect(await stateOf(file.timeline, file.details, 1, 0)).toBe(undefined)
  })

  it('are searched in batches, and no further than requested', async () => {
    const file = await opened([...trace(5000), end(5000)])
    const seqs = Array.from({ length: 5000 }, (_, seq) => seq)
    const ending = new AbortController()
    const parts: number[] = []
    const question = { term: { kind: 'context', path: '/n', value: '1' }, negated: false } as const
    const onPart = (found: readonly number[], searched: number) => {
      parts.push(found.length, searched)
      if (searched >= 4000) ending.abort()
    }
    await searchDeep(file, [question], seqs, onPart, ending.signal)
    expect(parts).toEqual([2000, 2000, 2000, 4000])
  })
})
