// Files that are too large are refused before they are parsed, in whatever form they are packed.
import { gzipSync } from 'node:zlib'
import { createMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { readTrace } from '../../src/public/devtools/replay.ts'
import { record } from '../../src/services/recording/index.ts'

const recording = record(createMachine({ id: 'one' }))
recording.start()
const [header = '', ...rest] = recording.lines()
const step = rest.find(line => line.includes('"line":"step"')) ?? ''

/** Three million lines like a recorder's. */
const lines = (): Buffer =>
  Buffer.concat([Buffer.from(`${header}\n`), Buffer.alloc((step.length + 1) * 3_000_000, `${step}\n`)])

/** Parsing such a file takes more than 100 s; refusing takes about 3 s on an idle machine. */
const MOST_SECONDS = 20

/** Returns why a file is refused, within the limit of processor time. */
async function refused(bytes: Uint8Array): Promise<string> {
  const before = process.cpuUsage()
  const read = await readTrace(bytes)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000_000).toBeLessThan(MOST_SECONDS)
  return read.kind === 'unusable' ? `${read.reason}: ${read.message}` : read.kind
}

describe('is refused before it is parsed', () => {
  test('a file of three million steps', async () => {
    const text = lines()
    const wanted = 'tooLarge: contains more than 2500000 lines; it is not read'
    expect(await refused(gzipSync(text, { level: 1 }))).toMatch(/^tooLarge: /)
    expect(await refused(text)).toBe(wanted)
  })

  test('half a gigabyte of zeros behind a header', async () => {
    const zeros = gzipSync(Buffer.concat([Buffer.from(`${header}\n`), Buffer.alloc(500_000_000)]))
    expect(await refused(zeros)).toBe('tooLarge: unpacks to more than 268435456 bytes; it is not read')
  })
})
