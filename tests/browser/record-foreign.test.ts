// Systems without any reference to Chartroom, recorded in a browser page, replay exactly here.
import { beforeEach, expect, vi } from 'vitest'
import { deriveSteps, ReplayRun, verify } from '../../src/services/replay/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { withBrowser } from '../harness/browser.ts'
import { bundled } from '../harness/bundled.ts'
import { atFileEnd } from '../harness/endings.ts'
import { generatedSystem } from '../harness/generated-run.ts'
import { pageSystem } from '../harness/page-system.ts'
import { stepsOf } from '../harness/steps.ts'
import { volume } from '../harness/volume.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

async function bundle(): Promise<string> {
  const lib = { entry: 'tests/harness/record-page.ts', formats: ['iife' as const], name: 'unused' }
  const outputs = await bundled({ lib })
  return outputs.flatMap(part => (part.type === 'chunk' ? part.code : [])).join('\n')
}

const test = withBrowser.extend('page', { scope: 'file' }, async ({ browser }) => {
  const page = await browser.newPage()
  atFileEnd(() => page.close())
  await page.addScriptTag({ content: await bundle() })
  return page
})

async function read(lines: readonly string[]): Promise<ReplayableTrace> {
  const result = await readTrace(lines.join('\n'))
  if (result.kind !== 'trace') throw new Error(result.message)
  return result.trace
}

test('generated systems', async ({ page }) => {
  const seeds = Array.from({ length: volume(10, 40) }, (_, at) => 3000 + at)
  const recorded = await page.evaluate(all => globalThis.recordings.generated(all), seeds)
  expect(recorded.map(([seed]) => seed)).toEqual(seeds)
  for (const [seed, lines] of recorded) {
    const trace = await read(lines)
    const report = verify(trace, generatedSystem(seed))
    expect([seed, report]).toMatchObject([seed, { outcome: 'exact', compared: trace.steps.length }])
  }
})

test('a system of clicks, frames, requests and timers, also from a keyframe', async ({ page }) => {
  const trace = await read(await page.evaluate(() => globalThis.recordings.page()))
  const sent = trace.stimuli.map(({ event }) => (event as { type: string } | undefined)?.type)
  for (const type of ['click', 'frame', 'xstate.promise.resolve', 'xstate.promise.reject', 'over'])
    expect(sent).toContain(type)
  expect(verify(trace, { page: pageSystem })).toMatchObject({
    outcome: 'exact',
    compared: trace.steps.length,
  })
  const from = trace.keyframes.at(-1)
  const run = new ReplayRun(trace, pageSystem, { from })
  run.start()
  for (const stimulus of trace.stimuli.slice(from?.at)) run.step(stimulus)
  expect(run.problems).toEqual([])
  expect(stepsOf(run.trace)).toEqual(stepsOf(trace).slice(from?.steps))
})

test('the same without views, which are derived here', async ({ page }) => {
  const trace = await read(await page.evaluate(() => globalThis.recordings.page(false)))
  const keyframes = trace.keyframes.length
  expect([trace.header.steps, trace.steps.length, keyframes > 2]).toEqual([false, 0, true])
  expect(verify(trace, { page: pageSystem })).toMatchObject({ outcome: 'exact', keyframes })
  const derived = deriveSteps(trace, { page: pageSystem })
  if (derived.kind !== 'trace') throw new Error(derived.message)
  expect(verify(derived.trace, { page: pageSystem })).toMatchObject({
    outcome: 'exact',
    compared: derived.trace.steps.length,
  })
})
