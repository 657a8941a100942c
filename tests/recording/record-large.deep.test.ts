// Values that are too large for a line or a record: a replay says what it could not compare.
import { assign, createMachine } from 'xstate'
import type { AnyEventObject } from 'xstate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { verify } from '../../src/services/replay/index.ts'
import { observe, readAgain } from '../harness/bare-and-recorded.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

test.each([true, false])(
  'a context too large for a line is compared by its marker (steps: %s)',
  async steps => {
    const holding = (last: string) =>
      createMachine({
        id: 'holding',
        context: { small: 1, data: 'x'.repeat(9_000_000), more: '' },
        on: { grow: { actions: assign({ more: () => `${'y'.repeat(9_000_000)}${last}` }) } },
      })
    const { recordings } = await observe(
      ({ make }) => {
        const root = make(holding('z'))
        root.start()
        root.send({ type: 'grow' })
      },
      true,
      steps,
    )
    const trace = recordings[0] && (await readAgain(recordings[0]))
    if (!trace) throw new Error('nothing was recorded')
    expect(trace.damage).toEqual([])
    expect(verify(trace, { holding: holding('z') })).toMatchObject({ outcome: 'exact' })
    expect(verify(trace, { holding: holding('w') })).toMatchObject({ outcome: 'diverged' })
  },
)

describe.each([true, false])('with steps: %s', steps => {
  test('a replay is not called exact for a context with more than a record may have', async () => {
    const holding = (last: string) =>
      createMachine({
        id: 'holding',
        context: { value: 0 as unknown },
        on: { grow: { actions: assign({ value: () => `${'x'.repeat(70_000_000)}${last}` }) } },
      })
    const { recordings } = await observe(
      ({ make }) => {
        const root = make(holding('z'))
        root.start()
        root.send({ type: 'grow' })
      },
      true,
      steps,
    )
    const trace = recordings[0] && (await readAgain(recordings[0]))
    if (!trace) throw new Error('nothing was recorded')
    for (const last of ['z', 'w']) {
      const report = verify(trace, { holding: holding(last) })
      expect(report).toMatchObject({ outcome: 'unverified', reason: expect.stringMatching(/not compared/) })
    }
  })
})

test('a replay that lacks a value names the value and its location', async () => {
  const looking = () =>
    createMachine({
      id: 'looking',
      context: { size: 0 },
      on: {
        look: {
          actions: assign({
            size: ({ event }) =>
              (event as unknown as { data: { list: Uint8Array[] } }).data.list[0]?.length ?? -1,
          }),
        },
      },
    })
  const { recordings } = await observe(({ make }) => {
    const root = make(looking())
    root.start()
    root.send({ type: 'look', data: { list: [new Uint8Array(13_000_000)], fine: 1 } } as AnyEventObject)
  }, true)
  const trace = recordings[0] && (await readAgain(recordings[0]))
  expect(trace?.damage).toEqual([])
  expect(trace && verify(trace, { looking: looking() })).toMatchObject({
    outcome: 'diverged',
    divergence: { differences: [{ path: '/context/size', expected: 13_000_000 }] },
    hints: [expect.stringMatching(/^#0 look at \/data\/list\/0 could not be stored, so a replay lacks it: /)],
  })
})
