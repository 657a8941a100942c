// `@chartroom/devtools/playwright` in Playwright's own runner: attachments of failed tests, the last run that passed, and
// groups of flaky tests.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForTests } from '../../scripts/chromium.ts'
import { root } from '../../scripts/tool.ts'
import { openTrace } from '../../src/cli/trace-files.ts'
import { CHROMIUM_FLAGS } from '../harness/browser.ts'

let folder = ''
const at = (name: string) => join(folder, name)

const source = (path: string) => JSON.stringify(join(root, 'src', path))

/** Each page offers a recording of a lamp that was pressed as the test says. */
const SPEC = `
import { createMachine } from 'xstate'
import { test, expect } from ${source('public/devtools/playwright.ts')}
import { record } from ${source('public/devtools/recording.ts')}

const lamp = createMachine({
  id: 'lamp', initial: 'dark',
  states: { dark: { on: { press: 'lit', smash: 'broken' } }, lit: { on: { press: 'dark', smash: 'broken' } }, broken: {} },
})

async function offer(page, ...events) {
  const recording = record(lamp)
  recording.start()
  for (const type of events) recording.actor.send({ type })
  recording.stop()
  const bytes = [...(await recording.file())]
  await page.goto('data:text/html,<h1>Lamp</h1>')
  await page.evaluate(bytes => {
    window.chartroom = { recording: { download: async () => new Blob([new Uint8Array(bytes)]) } }
  }, bytes)
}

const isBroken = process.env.LAMP === 'broken'
test('stays whole', async ({ page }) => {
  await offer(page, 'press', isBroken ? 'smash' : 'press')
  expect(isBroken).toBe(false)
})
test('also stays whole', async ({ page }) => {
  await offer(page, 'press', 'press', 'press', isBroken ? 'smash' : 'press')
  expect(isBroken).toBe(false)
})
test('flickers', async ({ page, browser, chartroom }, { retry }) => {
  const flickers = process.env.LAMP === 'flickers' && retry === 0
  await offer(page, 'press')
  const other = await (await browser.newContext()).newPage()
  await offer(other, 'press', flickers ? 'smash' : 'press')
  expect(await chartroom.traces()).toHaveLength(2)
  expect(flickers).toBe(false)
})
test('needs no page', () => expect(1).toBe(process.env.LAMP === 'broken' ? 2 : 1))
test('is expected to fail', async ({ page }) => {
  test.fail()
  await offer(page, 'smash')
  expect(1).toBe(2)
})
`

beforeAll(async () => {
  await mkdir(join(root, 'test-results'), { recursive: true })
  folder = await mkdtemp(join(root, 'test-results', 'playwright-'))
  const launchOptions = { executablePath: await browserForTests(), args: CHROMIUM_FLAGS }
  await writeFile(at('package.json'), '{ "type": "module" }')
  await writeFile(at('lamp.spec.ts'), SPEC)
  await writeFile(
    at('playwright.config.ts'),
    `export default {
      workers: 1,
      outputDir: 'results',
      retries: Number(process.env.RETRIES ?? 0),
      reporter: [['json', { outputFile: 'report.json' }], [${source('public/devtools/playwright-reporter.ts')}]],
      use: { launchOptions: ${JSON.stringify(launchOptions)} },
    }`,
  )
})

afterAll(() => rm(folder, { recursive: true }))

interface Result {
  readonly status: string
  readonly attachments: readonly { readonly name: string; readonly body?: string; readonly path?: string }[]
}

interface Report {
  readonly suites: readonly [
    {
      readonly specs: readonly { readonly title: string; readonly tests: readonly [{ results: Result[] }] }[]
    },
  ]
}

/** Runs all tests; returns what is printed and the results by title. */
async function run(env: Readonly<Record<string, string>> = {}) {
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const { NODE_OPTIONS: _, NO_COLOR: __, ...own } = process.env
  const { out, code } = await new Promise<{ out: string; code: unknown }>(resolve => {
    execFile(
      process.execPath,
      [cli, 'test'],
      { cwd: folder, env: { ...own, ...env, FORCE_COLOR: '0' } },
      (error, out) => resolve({ out, code: error?.code ?? 0 }),
    )
  })
  const report = JSON.parse(await readFile(at('report.json'), 'utf8')) as Report
  const results = Object.fromEntries(
    report.suites[0].specs.map(({ title, tests: [first] }) => [title, first.results.map(ours)] as const),
  )
  return { out, code, results }
}

/** Without the attachments of Playwright itself. */
const ours = ({ status, attachments }: Result): Result => ({
  status,
  attachments: attachments.filter(({ name }) => name !== 'error-context'),
})

const textOf = ({ attachments }: Result, name: string) =>
  Buffer.from(attachments.find(one => one.name === name)?.body ?? '', 'base64').toString()

const DIFFERENCE = 'what differed from a run that passed'

test('keeps runs that passed, and explains a failed and a flaky run by them', async () => {
  const passed = await run()
  expect([passed.code, passed.out]).toEqual([0, expect.not.stringContaining('first difference') as string])
  expect(Object.values(passed.results).flatMap(results => results.flatMap(one => one.attachments))).toEqual(
    [],
  )
  // One page of two tests each, and two pages of the third.
  const kept = await readdir(at('.chartroom/last-pass'))
  expect(kept).toHaveLength(4)

  const broken = await run({ LAMP: 'broken' })
  const [whole] = broken.results['stays whole'] ?? []
  if (!whole) throw new Error(broken.out)
  expect(whole.attachments.map(({ name }) => name)).toEqual(['chartroom.trace.gz', DIFFERENCE])
  const opened = await openTrace(whole.attachments[0]?.path ?? '')
  expect(opened).toMatchObject({ kind: 'trace', trace: { header: { system: 'lamp' } } })
  expect(textOf(whole, DIFFERENCE).split('\n').slice(0, 3)).toEqual([
    'lamp took smash → "broken", instead of press → "dark"',
    'A is the run that passed, B the run that failed.',
    'lamp diverges after 2 identical steps',
  ])
  expect(broken.results['needs no page']?.[0]?.attachments).toEqual([])
  expect(broken.out.slice(broken.out.indexOf('Failed or flaky')).trimEnd().split('\n')).toEqual([
    'Failed or flaky by first difference (3 tests):',
    '',
    '  2 × lamp took smash → "broken", instead of press → "dark"',
    expect.stringMatching(/^ {6}lamp\.spec\.ts:\d+ stays whole$/) as string,
    expect.stringMatching(/^ {6}lamp\.spec\.ts:\d+ also stays whole$/) as string,
    '  1 × no run that passed was recorded before',
    expect.stringMatching(/^ {6}lamp\.spec\.ts:\d+ needs no page$/) as string,
  ])
  // A failed run does not replace one that passed.
  expect(await readdir(at('.chartroom/last-pass'))).toEqual(kept)

  // A flaky test explains itself: its repetition is the run that passed.
  await rm(at('.chartroom'), { recursive: true })
  const flaky = await run({ LAMP: 'flickers', RETRIES: '1' })
  expect(flaky.code).toBe(0)
  const results = flaky.results['flickers'] ?? []
  expect(results.map(({ status, attachments }) => [status, attachments.map(({ name }) => name)])).toEqual([
    ['failed', ['chartroom.trace.gz', 'chartroom-2.trace.gz']],
    ['passed', [DIFFERENCE]],
  ])
  expect(flaky.out).toMatch(
    /1 × lamp took smash → "broken", instead of press → "dark"\n {6}lamp\.spec\.ts:\d+ flickers \(flaky\)\n$/,
  )
})
