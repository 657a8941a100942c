// Playwright's `test`, which keeps the recordings of each test's pages, and compares failed runs with passed ones.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  type BrowserContext,
  type Expect,
  expect as playwrightExpect,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as base,
  type TestInfo,
  type TestType,
} from '@playwright/test'
import type { SystemRegistry } from '../../services/runtime/index.ts'
import { DIFFERENCE } from './difference.ts'

/** Playwright's own `expect`. */
export const expect: Expect = playwrightExpect

/** Fixtures passed to a test. */
export interface ChartroomFixtures {
  /** The recordings of this test; it is active in every test. */
  readonly chartroom: {
    /** Returns the trace file of each open page whose app offers one, in the order in which they were opened. */
    readonly traces: () => Promise<readonly Uint8Array[]>
  }
}

/** Options, for `use` in the configuration. */
export interface KeptRunOptions {
  /**
   * Folder for the recordings of the last run of each test that passed; relative to the configuration. Defaults to
   * `.chartroom/last-pass`.
   */
  readonly chartroomLastPass: string
  /** Systems other than Chartroom's own, with which the steps of their recordings are derived. */
  readonly chartroomMachines: SystemRegistry
}

/** Playwright's `test`, with recordings. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & ChartroomFixtures & KeptRunOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<ChartroomFixtures & KeptRunOptions>({
  chartroomLastPass: ['.chartroom/last-pass', { option: true }],
  chartroomMachines: [{}, { option: true }],
  chartroom: [
    async ({ context, chartroomLastPass, chartroomMachines }, provide, testInfo) => {
      // A test that does not close its contexts leaves them to those after it.
      const earlier = new Set(contextsAround(context))
      earlier.delete(context)
      const traces = () => tracesOf(contextsAround(context).filter(one => !earlier.has(one)))
      await provide({ traces })
      if (testInfo.status === 'skipped') return
      const kept = new KeptRuns(testInfo, chartroomLastPass)
      if (testInfo.status !== testInfo.expectedStatus)
        await leaveFailure(testInfo, await traces(), kept, chartroomMachines)
      else if (testInfo.status === 'passed')
        await leavePass(testInfo, await traces(), kept, chartroomMachines)
    },
    { auto: true, title: 'recordings of Chartroom' },
  ],
})

async function leaveFailure(
  testInfo: TestInfo,
  traces: readonly Uint8Array[],
  kept: KeptRuns,
  machines: SystemRegistry,
): Promise<void> {
  for (const [at, bytes] of traces.entries()) {
    const name = `chartroom${at === 0 ? '' : `-${at + 1}`}.trace.gz`
    const path = testInfo.outputPath(name)
    await writeFile(path, bytes)
    await testInfo.attach(name, { path, contentType: 'application/gzip' })
  }
  if (traces.length === 0) return
  const passed = await kept.read('passed')
  if (passed.length > 0) await attachDifference(testInfo, passed, traces, machines)
  await kept.write('failed', traces)
}

/** A repetition that passes explains the failure before it: the test is flaky. */
async function leavePass(
  testInfo: TestInfo,
  traces: readonly Uint8Array[],
  kept: KeptRuns,
  machines: SystemRegistry,
): Promise<void> {
  const failed = testInfo.retry > 0 ? await kept.read('failed') : []
  if (failed.length > 0 && traces.length > 0) await attachDifference(testInfo, traces, failed, machines)
  await kept.write('failed', [])
  await kept.write('passed', traces)
}

async function attachDifference(
  testInfo: TestInfo,
  passed: readonly Uint8Array[],
  failed: readonly Uint8Array[],
  machines: SystemRegistry,
): Promise<void> {
  // Most runs compare nothing.
  const { compareRuns } = await import('./compare-runs.ts')
  const body = await compareRuns(passed, failed, machines)
  await testInfo.attach(DIFFERENCE, { body, contentType: 'text/plain' })
}

/** The stored recordings of one test. */
class KeptRuns {
  readonly #folders: Readonly<Record<'passed' | 'failed', string>>
  readonly #name: string

  constructor({ testId, config, project }: TestInfo, lastPass: string) {
    const root = config.configFile === undefined ? process.cwd() : dirname(config.configFile)
    this.#folders = {
      passed: resolve(root, lastPass),
      // Playwright empties this folder before a run, but not before a repetition.
      failed: join(project.outputDir, '.chartroom-failed'),
    }
    this.#name = createHash('sha256').update(testId).digest('hex').slice(0, 24)
  }

  async read(which: 'passed' | 'failed'): Promise<Uint8Array[]> {
    const names = await this.#names(which)
    return Promise.all(names.map(name => readFile(join(this.#folders[which], name))))
  }

  /** Replaces the stored recordings. */
  async write(which: 'passed' | 'failed', traces: readonly Uint8Array[]): Promise<void> {
    const folder = this.#folders[which]
    const before = await this.#names(which)
    const names = traces.map((_, at) => `${this.#name}-${String(at + 1).padStart(3, '0')}.trace.gz`)
    if (traces.length > 0) await mkdir(folder, { recursive: true })
    for (const [at, bytes] of traces.entries()) {
      const path = join(folder, names[at] ?? '')
      // An interrupted run leaves the earlier file.
      await writeFile(`${path}.part`, bytes)
      await rename(`${path}.part`, path)
    }
    for (const name of before.filter(name => !names.includes(name)))
      await rm(join(folder, name), { force: true })
  }

  async #names(which: 'passed' | 'failed'): Promise<string[]> {
    const names = await readdir(this.#folders[which]).catch((): string[] => [])
    return names.filter(name => name.startsWith(`${this.#name}-`) && name.endsWith('.trace.gz')).sort()
  }
}

/** All contexts of its browser: a test may open one for a second user. */
const contextsAround = (context: BrowserContext): readonly BrowserContext[] =>
  context.browser()?.contexts() ?? [context]

async function tracesOf(contexts: readonly BrowserContext[]): Promise<readonly Uint8Array[]> {
  const pages = contexts.flatMap(one => one.pages())
  const traces = await Promise.all(pages.map(traceOf))
  return traces.filter(trace => trace !== undefined)
}

/** A page that does not respond in this time has no recording. */
const PATIENCE_MS = 10_000

/** Undefined if the page has no recording, was closed, or does not respond. */
async function traceOf(page: Page): Promise<Uint8Array | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), PATIENCE_MS)
  const text = await Promise.race([page.evaluate(download).catch(() => undefined), late.promise])
  clearTimeout(timer)
  return text === undefined ? undefined : Buffer.from(text, 'base64')
}

/** Runs in the page: `window.chartroom` is a recorded client, or has its recording. */
async function download(): Promise<string | undefined> {
  const hook: unknown = Reflect.get(window, 'chartroom')
  if (typeof hook !== 'object' || hook === null || !('recording' in hook)) return undefined
  const { recording } = hook
  if (typeof recording !== 'object' || recording === null || !('download' in recording)) return undefined
  if (typeof recording.download !== 'function') return undefined
  const file: unknown = await Reflect.apply(recording.download, recording, [])
  if (!(file instanceof Blob)) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  const part = 32_768
  let text = ''
  for (let at = 0; at < bytes.length; at += part)
    text += String.fromCharCode(...bytes.subarray(at, at + part))
  return btoa(text)
}
