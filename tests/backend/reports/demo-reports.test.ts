// The demo's reports: they open, explain and replay, contain no secret, and each offers what works for its kind.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { demoReports, DEMO_REPORTS, type DemoReport } from '../../../src/cli/start/demo/reports.ts'
import { readTrace, systems, verify } from '../../../src/public/devtools/replay.ts'
import { examineReport } from '../../../src/services/reports/judge.ts'
import { headline, testOffer } from '../../../src/services/workbench/reports/index.ts'
import { startOwnBackend } from '../../harness/backend.ts'
import { folderForTests, runVitest } from '../../harness/child-vitest.ts'
import { runCli } from '../../harness/cli-process.ts'

const bytesOf = ({ trace }: DemoReport) => Buffer.from(trace, 'base64')

async function traceOf(report: DemoReport) {
  const read = await readTrace(new Uint8Array(bytesOf(report)))
  if (read.kind === 'unusable') throw new Error(read.message)
  return read.trace
}

const examined = async (report: DemoReport) =>
  examineReport(await traceOf(report), systems, { kind: report.cause, fingerprint: report.fingerprint })

const [SIGNED_OUT, ENDED, PAGE_ERROR, BROKEN] = DEMO_REPORTS as readonly [
  DemoReport,
  DemoReport,
  DemoReport,
  DemoReport,
]

describe('the recordings', () => {
  test('are small, and those that arrived whole replay exactly', async () => {
    expect(DEMO_REPORTS).toHaveLength(4)
    for (const report of DEMO_REPORTS) expect(bytesOf(report).length).toBeLessThan(25_000)
    for (const report of [SIGNED_OUT, ENDED, PAGE_ERROR])
      expect(verify(await traceOf(report), systems)).toMatchObject({ outcome: 'exact' })
  })

  test('contain no password, token or key', async () => {
    for (const report of [SIGNED_OUT, ENDED, PAGE_ERROR]) {
      const text = gunzipSync(bytesOf(report)).toString() + JSON.stringify({ ...report, trace: '' })
      expect(text.match(/harbour-demo|eyJ[\w-]{5}|sb_(?:secret|publishable)_\w/g) ?? []).toEqual([])
    }
  })

  test('of an error of the page ends without a problem', async () => {
    const { why, damage } = await examined(PAGE_ERROR)
    expect({ why, damage }).toEqual({ why: undefined, damage: undefined })
  })

  test.each([
    [SIGNED_OUT, /^You were signed out because .* used already \(refresh_token_already_used\)\.$/],
    [ENDED, /^You were signed out because the server does not know the refresh token/],
  ])('explain themselves', async (report, sentence) => {
    const { why, damage } = await examined(report)
    expect(damage).toBeUndefined()
    expect(why?.sentence).toMatch(sentence)
  })

  test('the cut file is read as far as it arrived', async () => {
    const { damage } = await examined(BROKEN)
    expect(damage).toMatch(/truncated or damaged/)
  })
})

describe('titles', () => {
  test('are the user’s first sentence, and what the recording says where there are no words', () => {
    expect(headline(SIGNED_OUT)).toEqual({
      title: 'I was signed out while writing.',
      because:
        'You were signed out because the server refused the refresh token, which was used already (refresh_token_already_used).',
    })
    expect(headline(ENDED)).toEqual({
      title:
        'You were signed out because the server does not know the refresh token (refresh_token_not_found).',
      because: undefined,
    })
  })

  test.each([
    ['It hangs! Then it works.', 'It hangs!'],
    ['  Version 1.4\n does not save  ', 'Version 1.4 does not save'],
    ['word '.repeat(40), `${'word '.repeat(19)}word…`],
    ['x'.repeat(150), `${'x'.repeat(100)}…`],
    ['…', '…'],
  ])('%j is cut at a sentence or a word', (note, title) => {
    expect(headline({ note, title: 'Because.' }).title).toBe(title)
  })
})

describe('what the page offers', () => {
  const offerOf = async (report: DemoReport, url = 'http://127.0.0.1:1') =>
    testOffer(report, await examined(report), url)
  const made: string[] = []
  afterEach(async () => {
    for (const folder of made.splice(0)) await rm(folder, { recursive: true })
  })

  test('a command that leaves a failing test, for a user’s report and for a failure of the machines', async () => {
    const backend = await startOwnBackend({ demoContent: demoReports() })
    const folder = await folderForTests('demo-reports')
    made.push(folder)
    await mkdir(join(folder, 'tests'))
    for (const report of [SIGNED_OUT, ENDED]) {
      const offer = await offerOf(report, backend.url)
      if (offer.kind !== 'command') throw new Error(offer.why)
      const [, words = ''] = offer.command.split(' chartroom -- ')
      const env = { SUPABASE_SECRET_KEY: backend.secretKey }
      const args = words.split(' ').map(word => (word.startsWith('tests/') ? join(folder, word) : word))
      expect(await runCli(args, env)).toMatchObject({ code: 0, err: '' })
      const text = await readFile(join(folder, `tests/report-${report.id.slice(0, 8)}.test.ts`), 'utf8')
      expect(text).toContain(headline(report).title)
    }
    const { output, passed } = await runVitest(folder)
    expect(passed).toBe(false)
    expect(output).toMatch(/Tests +2 failed \(2\)/)
    expect(output).toContain('src: ')
  })

  test('for an error of the page and a damaged recording: why no test is possible', async () => {
    expect(await offerOf(PAGE_ERROR)).toEqual({
      kind: 'none',
      why: expect.stringMatching(/^This is an error of the page’s own code/) as string,
    })
    const why = 'What is left of the damaged recording ends before the failure.'
    expect(await offerOf(BROKEN)).toEqual({ kind: 'none', why })
  })
})
