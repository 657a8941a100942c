// Bad input: 20,000 damaged traces are each reported as damaged, or read correctly; none crashes or hangs.
import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { verify } from '../../src/services/replay/index.ts'
import type { SystemParts } from '../../src/services/runtime/index.ts'
import { readTrace, type ReadResult } from '../../src/trace/read/read-file.ts'
import { encodeLines } from '../../src/trace/write/encode.ts'
import { type ReplayableTrace, openTrace } from '../../src/trace/index.ts'
import { join, packLines } from '../../src/trace/read/gzip.ts'
import { lamp } from '../harness/lamp.ts'
import { BOMBS, MUTATIONS, createRandom, cutShort, flipBits, spliced } from '../harness/mutated-traces.ts'
import { firstSeed, volume } from '../harness/volume.ts'

const KEPT = new URL('formats/', import.meta.url).pathname
const linesOf = async (name: string) =>
  gunzipSync(await readFile(KEPT + name))
    .toString()
    .split('\n')
    .filter(line => line !== '')
const bases = [
  (await linesOf('format-1-keyframe.jsonl.gz')).slice(0, 20),
  await linesOf('format-1-keyframe.jsonl.gz'),
  (await linesOf('format-1.jsonl.gz')).slice(0, 40),
  (await linesOf('format-1.jsonl.gz')).slice(0, 25),
]

const systems = { lamp: ({ env }: SystemParts) => lamp(env) }
const TEXTS = volume(100, 1700)
const PACKED = volume(80, 1000)
/** Replaying takes longer than reading. */
const REPLAYED_EVERY = 40

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())
afterEach(() => void vi.restoreAllMocks())

/** The problems of reading a file. */
function faults(read: ReadResult): string[] {
  if (read.kind === 'unusable') return read.message.length > 10 ? [] : ['it does not say why it is unusable']
  const { actors, stimuli, steps, damage } = read.trace
  const knows = (index: number | undefined) => index === undefined || index < actors.length
  const checks: [string, boolean][] = [
    ['actors', actors.every(({ index, parent = -1 }, at) => index === at && parent < at)],
    ['stimuli', stimuli.every(({ seq, to, from }, at) => seq === at && knows(to) && knows(from))],
    [
      'steps',
      steps.every(
        ({ seq, actor, from, by = -1 }, at) => seq === at && knows(actor) && knows(from) && by < at,
      ),
    ],
    ['damage', damage.every(({ atLine = 0, message }) => atLine > 0 && message.length > 5)],
    ['bound of damage', damage.length <= 1002],
    ['prototypes', !('polluted' in {}) && !('polluted' in [])],
  ]
  return checks.flatMap(([name, isRight]) => (isRight ? [] : [`${name} are not sound`]))
}

/** The outcome of using it. */
async function faultsInUse(trace: ReplayableTrace, bytes: Uint8Array): Promise<string[]> {
  const report = verify(trace, systems)
  const again = [...encodeLines(trace)]
  const hasReason = report.outcome !== 'unusable' || report.reason.length > 5
  const opened = await openTrace(bytes)
  if (opened.kind !== 'opened') return [`it is read, but not opened: ${opened.message}`]
  const { model } = opened
  const steps = await model.readSteps(0, model.steps.length)
  const isSame = steps.length === trace.steps.length && model.damage.length === trace.damage.length
  if (steps.length > 0) await model.stateAt(steps.length - 1)
  return [
    ...(hasReason && again.length > 1 ? [] : ['the replay does not say why it cannot be done']),
    ...(isSame ? [] : ['it is opened as something else than it is read']),
  ]
}

async function tryAll(count: number, seed: number, make: (n: number) => Uint8Array | Promise<Uint8Array>) {
  const wrong: string[] = []
  const seen = { unusable: 0, damaged: 0, sound: 0 }
  for (let n = 0; n < count; n++) {
    const bytes = await make(n)
    const read = await readTrace(bytes)
    wrong.push(...faults(read).map(fault => `${seed}/${n}: ${fault}`))
    if (read.kind === 'unusable') seen.unusable += 1
    else if (read.trace.damage.length > 0) seen.damaged += 1
    else seen.sound += 1
    if (read.kind === 'trace' && n % REPLAYED_EVERY === 0)
      wrong.push(...(await faultsInUse(read.trace, bytes)).map(fault => `${seed}/${n}: ${fault}`))
  }
  expect(wrong).toEqual([])
  return seen
}

describe('a trace with', () => {
  test.each(Object.entries(MUTATIONS))('%s is reported, or read correctly', async (name, mutate) => {
    const seed = firstSeed + Object.keys(MUTATIONS).indexOf(name)
    const random = createRandom(seed)
    const seen = await tryAll(TEXTS, seed, n => mutate(bases[n % bases.length] ?? [], random))
    expect(seen.unusable + seen.damaged).toBeGreaterThan(TEXTS / 10)
  })
})

describe('a packed trace with', () => {
  async function packed() {
    const lines = bases[1] ?? []
    const parts = await Promise.all(
      [0, 1, 2, 3].map(part => packLines(lines.slice(part * 20, part === 3 ? undefined : part * 20 + 20))),
    )
    return join(
      parts,
      parts.reduce((sum, { length }) => sum + length, 0),
    )
  }

  test.each([
    ['flipped bits', flipBits],
    ['a truncated end', cutShort],
    ['a part removed, doubled or overwritten', spliced],
  ])('%s is reported, or read correctly', async (_name, mutate) => {
    const members = await packed()
    const other = new Uint8Array(gzipSync(`${bases[1]?.join('\n')}\n`))
    const random = createRandom(firstSeed + 7)
    const seen = await tryAll(PACKED, firstSeed + 7, n => mutate(n % 4 === 0 ? other : members, random))
    expect(seen.unusable + seen.damaged).toBeGreaterThan(PACKED / 2)
    expect(seen.damaged).toBeGreaterThan(PACKED / 10)
  })
})

describe('a bomb', () => {
  const header = `${bases[0]?.[0]}\n`
  const used = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }

  test.each(Object.entries(BOMBS))('%s takes no more memory than documented', async (_name, make) => {
    const bomb = make()
    for (const bytes of [bomb, new Uint8Array([...gzipSync(header), ...bomb])]) {
      const before = used()
      let most = 0
      const onProgress = () => void (most = Math.max(most, used() - before))
      const read = await readTrace(bytes, { onProgress })
      expect(faults(read)).toEqual([])
      const opened = await openTrace(bytes, { onProgress })
      expect(opened.kind === 'unusable').toBe(read.kind === 'unusable')
      expect(most).toBeLessThan(256_000_000)
    }
  })

  test('is rejected above the permitted size', async () => {
    const bytes = new Uint8Array([...gzipSync(header), ...gzipSync(Buffer.alloc(20_000_000, '\n'))])
    expect(await readTrace(bytes, { maxBytes: 1_000_000 })).toEqual({
      kind: 'unusable',
      reason: 'tooLarge',
      message: 'unpacks to more than 1000000 bytes; it is not read',
    })
  })
})
