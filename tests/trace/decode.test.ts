// Reading traces: complete, truncated, damaged, newer, or something else altogether.
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { verify } from '../../src/services/replay/index.ts'
import { readTrace, type ReadResult } from '../../src/trace/read/read-file.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'

let lines: string[] = []
let file: Uint8Array = new Uint8Array()

beforeAll(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const { recorder, drive } = createRandomRun(12)
  recorder.start()
  await drive(25)
  recorder.stop()
  lines = recorder.lines()
  file = await recorder.file()
})

const text = (of: readonly string[]) => `${of.join('\n')}\n`

function trace(read: ReadResult) {
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

test('packed and plain files read the same', async () => {
  const { version: _v, subscribe: _s, ...packed } = trace(await readTrace(file))
  const { version: _v2, subscribe: _s2, ...plain } = trace(await readTrace(text(lines)))
  expect(packed).toEqual(plain)
  expect(packed.damage).toEqual([])
  expect(packed.end).toEqual({ line: 'end', stimuli: packed.stimuli.length, steps: packed.steps.length })
})

describe('a truncated file', () => {
  test.each([0.3, 0.6, 0.9, 0.99])(
    'after %d of its bytes keeps the rest, which replays exactly',
    async part => {
      const read = trace(await readTrace(file.subarray(0, Math.floor(file.length * part))))
      const last = read.damage.at(-1)
      expect(last?.message).toMatch(/truncated/)
      expect(read.stimuli.length).toBeGreaterThan(0)
      const report = verify(read, randomSystem())
      expect(report.outcome).toBe('unusable')
      expect('divergence' in report).toBe(false)
      expect(report.compared).toBeGreaterThan(0)
    },
  )

  test('at any line keeps the lines before, which replay exactly', async () => {
    const first = lines.findIndex(line => line.includes('"line":"stimulus"'))
    for (let at = first; at < lines.length; at += 7) {
      const report = verify(trace(await readTrace(text(lines.slice(0, at)))), randomSystem())
      expect(report).toMatchObject({ outcome: 'unusable', reason: expect.stringContaining('truncated') })
      expect('divergence' in report).toBe(false)
    }
  })
})

describe('a damaged line', () => {
  const cases: [string, (line: string) => string, RegExp][] = [
    ['no JSON', line => line.slice(0, -3), /is not JSON/],
    ['an unknown kind', () => '{"line":"spell"}', /unknown kind \(spell\)/],
    ['a missing part', line => line.replace('"cause"', '"caws"'), /damaged step: "cause" is missing/],
    [
      'a value of an unknown kind',
      line => line.replace('{', '{"x":{"$":"spell"},'),
      /unknown kind of value "spell"/,
    ],
    ['null', () => 'null', /is not an object/],
    ['a number that is far out', line => line.replace(/"seq":\d+/, '"seq":900000000'), /is out of order/],
  ]
  test.each(cases)('(%s) is reported by its number, and the rest is kept', async (_name, change, message) => {
    const at = lines.findIndex(line => line.includes('"line":"step","seq":20,'))
    const damaged = lines.map((line, index) => (index === at ? change(line) : line))
    const read = trace(await readTrace(text(damaged)))
    expect(read.damage).toEqual([{ atLine: at + 1, message: expect.stringMatching(message) }])
    const whole = trace(await readTrace(file))
    expect(read.steps).toHaveLength(whole.steps.length)
    expect(read.steps.toSpliced(20, 1)).toEqual(whole.steps.toSpliced(20, 1))
    expect(read.steps[20]?.event).toEqual({ type: 'chartroom.lost' })
  })

  test('ends the replay before it', async () => {
    const at = lines.findIndex(line => line.includes('"line":"stimulus","seq":30,'))
    const read = trace(await readTrace(text(lines.toSpliced(at, 1, '{'))))
    const report = verify(read, randomSystem())
    expect(report).toMatchObject({ outcome: 'unusable', reason: `line ${at + 1}: is not JSON` })
    expect('divergence' in report).toBe(false)
    expect(report.compared).toBeGreaterThan(10)
  })
})

describe('not a trace', () => {
  const header = (change: object) => JSON.stringify({ ...(JSON.parse(lines[0] ?? '') as object), ...change })
  const cases: [string, () => Uint8Array | string, string, RegExp][] = [
    ['an empty file', () => new Uint8Array(), 'empty', /the file is empty/],
    [
      'a picture',
      () => Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2),
      'notATrace',
      /first line is not a header/,
    ],
    ['other JSON', () => '{"name":"chartroom"}', 'notATrace', /first line is not a header/],
    ['a broken archive', () => Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0), 'notATrace', /truncated/],
    ['a damaged header', () => header({ machines: 1 }), 'notATrace', /damaged header: "machines"/],
    [
      'a newer format',
      () => header({ format: 2, machines: 'other' }),
      'newerFormat',
      /^written by format 2; this build reads up to 1: update chartroom$/,
    ],
    ['format 0', () => header({ format: 0 }), 'notATrace', /header/],
  ]
  test.each(cases)('%s', async (_name, input, reason, message) => {
    expect(await readTrace(input())).toEqual({
      kind: 'unusable',
      reason,
      message: expect.stringMatching(message),
    })
  })

  test('an archive that unpacks endlessly', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    expect(await readTrace(bomb, { maxBytes: 1_000_000 })).toEqual({
      kind: 'unusable',
      reason: 'tooLarge',
      message: 'unpacks to more than 1000000 bytes; it is not read',
    })
  })
})

test('an unknown system is named, with the known names most like it', async () => {
  const { random } = randomSystem()
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`system-of-the-app-${n}`, random]))
  expect(verify(trace(await readTrace(file)), { ...many, randon: random })).toMatchObject({
    outcome: 'unusable',
    reason: expect.stringMatching(
      /^unknown system "random"; known here: randon, (?:system-of-the-app-\d+, ){4}and 56 more$/,
    ),
  })
  expect(verify(trace(await readTrace(file)), { other: randomSystem().random })).toMatchObject({
    outcome: 'unusable',
    reason: 'unknown system "random"; known here: other',
  })
})
