// Opening a trace file: what arrives from the reading thread, what is refused, and what ends early.
import { describe, expect, it, vi } from 'vitest'
import type { TraceRecord } from '../../src/trace/format.ts'
import { encodeValue } from '../../src/trace/codec.ts'
import { ActorReference } from '../../src/trace/values.ts'
import { openTraceFile, type AskReader, type Opening } from '../../src/ui/console/trace-file.ts'
import { createTraceReader } from '../../src/ui/console/trace-reader.ts'
import { actorEntries, traceSource, viewRecords } from './console-trace.ts'

/** A reader behind what a message between threads does to its data. */
const otherThread = (): AskReader => {
  const answer = createTraceReader()
  return async request => structuredClone(await answer(structuredClone(request)))
}
const opening = (rest: Partial<Opening> = {}): Opening => ({
  signal: new AbortController().signal,
  onShare: () => undefined,
  start: otherThread,
  ...rest,
})
const actors = actorEntries(['client', 'client'], ['client/session', 'session'])
const views = (count: number, context: unknown = { n: 1 }) =>
  viewRecords(Array.from({ length: count }, (_, n) => ({ actor: n % 2, type: 'tick', value: 'on', context })))
const fileOf = (records: readonly TraceRecord[], name = 'a.trace') =>
  new File([records.map(record => `${JSON.stringify(encodeValue(record))}\n`).join('')], name)
const trace = (count: number, context?: unknown): readonly TraceRecord[] => [
  traceSource({ actors, views: [] }).header,
  ...actors,
  ...views(count, context),
]
const end = (count: number): TraceRecord => ({ line: 'end', stimuli: 0, views: count })

describe('openTraceFile', () => {
  it.each([
    ['', 'The file is empty.'],
    ['hello', 'Not a trace: the first line is no header.'],
    [
      JSON.stringify({ line: 'header', format: 99 }),
      'Written by format 99; this build reads up to 2: update chartroom.',
    ],
  ])('refuses %j and says why', async (text, message) => {
    expect(await openTraceFile(new File([text], 'a.trace'), opening())).toEqual({
      kind: 'refused',
      name: 'a.trace',
      message,
    })
  })

  it('gives every record as it was, with values that a message would spoil', async () => {
    const context = { self: new ActorReference('client'), why: new RangeError('no'), at: new Map([[1, 2n]]) }
    const result = await openTraceFile(fileOf([...trace(3, context), end(3)]), opening())
    if (result.kind === 'refused') throw new Error(result.message)
    const { live, header, views: got, actors: who, stimuli, damage } = result.file.source
    expect([live, header, who, stimuli, damage]).toEqual([false, trace(0)[0], actors, [], []])
    expect(got).toEqual(views(3, context))
  })

  it('tells the damage of a file that was cut short', async () => {
    const result = await openTraceFile(fileOf(trace(2)), opening())
    if (result.kind === 'refused') throw new Error(result.message)
    expect(result.file.source.views).toEqual(views(2))
    expect(result.file.source.damage).toEqual([
      { atLine: 6, message: 'the file was cut short: its last line is missing' },
    ])
  })

  it('takes a big file over in portions and says how far it is', async () => {
    const shares: number[] = []
    const file = fileOf([...trace(4000, { text: 'x'.repeat(200) }), end(4000)])
    const result = await openTraceFile(file, opening({ onShare: share => shares.push(share) }))
    if (result.kind === 'refused') throw new Error(result.message)
    expect(result.file.source.views).toHaveLength(4000)
    expect(shares.length).toBeGreaterThan(4)
    expect([shares.toSorted((a, b) => a - b), shares.at(-1)]).toEqual([shares, 1])
  })

  it('says it when the reading thread fails', async () => {
    const start = () => () => Promise.reject(new Error('its reader could not be started'))
    expect(await openTraceFile(fileOf(trace(1)), opening({ start }))).toEqual({
      kind: 'refused',
      name: 'a.trace',
      message: 'The file could not be read: its reader could not be started',
    })
  })

  it('starts no thread for a file that nobody waits for any more', async () => {
    const start = vi.fn<typeof otherThread>(otherThread)
    const given = new AbortController()
    const result = openTraceFile(fileOf(trace(1)), opening({ signal: given.signal, start }))
    given.abort()
    expect([(await result).kind, start.mock.calls]).toEqual(['refused', []])
  })

  it('ends the thread with the file, whatever came of it', async () => {
    const signals: AbortSignal[] = []
    const start = (signal: AbortSignal) => {
      signals.push(signal)
      return otherThread()
    }
    await openTraceFile(fileOf([...trace(1), end(1)]), opening({ start }))
    await openTraceFile(new File(['no trace'], 'b'), opening({ start }))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })
})
