// An ordinary React app in strict mode under the Vite plugin: its recording becomes a test that passes, through hot updates.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { replayCommand } from '../../src/cli/replay.ts'
import { testCommand } from '../../src/cli/test.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { withBrowser } from '../harness/browser.ts'
import { folderForTests, runVitest } from '../harness/child-vitest.ts'
import { ran } from '../harness/command.ts'
import { watchPage } from '../harness/page-watch.ts'
import { PATIENCE } from '../harness/shared-page.ts'
import { serveApp } from '../harness/vite-plugin-server.ts'

const test = withBrowser.extend('app', ({}, { onCleanup }) => serveApp('strict-app', onCleanup))

async function edit(file: string, from: string, to: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to))
}

/** Saves the shown recording. */
async function save(page: Page, file: string) {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download recording' }).click()
  await (await saving).saveAs(file)
  const read = await readTrace(new Uint8Array(await readFile(file)))
  if (read.kind !== 'trace') throw new Error(read.message)
  const { stimuli, keyframes } = read.trace
  const uploads = stimuli.filter(({ kind }) => kind === 'external').length
  return { uploads, isFromStart: keyframes[0]?.at !== 0 }
}

test('a recording becomes a test, and hot updates of the component do not end it', async ({
  app,
  browser,
}) => {
  const folder = await folderForTests('strict-mode')
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    const watch = watchPage(page)
    await page.goto(app.url)
    const machines = join(app.folder, 'machine.ts')
    const button = (text: string) => page.getByRole('button', { name: text })
    await button('Uploads: 0, settled, online').click()
    await button('Uploads: 1').waitFor()
    await page.keyboard.press('Control+`')
    const first = join(folder, 'first.trace.gz')
    expect(await save(page, first)).toEqual({ uploads: 1, isFromStart: true })
    expect(await ran(replayCommand, first, '--machines', machines)).toMatchObject({ code: 0 })
    const out = join(folder, 'first.test.ts')
    expect(await ran(testCommand, first, '--machines', machines, '--out', out)).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await readFile(out, 'utf8')).toContain('createStage(rootMachine')

    await edit(join(app.folder, 'app.tsx'), 'Uploads: ', 'Files: ')
    await button('Files: 1, settled, online').click()
    await edit(join(app.folder, 'app.tsx'), 'Files: ', 'All files: ')
    await button('All files: 2').click()
    await button('All files: 3').waitFor()
    const second = join(folder, 'second.trace.gz')
    expect(await save(page, second)).toEqual({ uploads: 3, isFromStart: true })
    expect(await ran(replayCommand, second, '--machines', machines)).toMatchObject({ code: 0 })
    const later = join(folder, 'second.test.ts')
    expect(await ran(testCommand, second, '--machines', machines, '--out', later)).toMatchObject({ code: 0 })
    const { output, passed } = await runVitest(folder)
    expect(output).toContain('2 passed')
    expect(passed).toBe(true)

    // Another machine continues the app, in a separate recording.
    await edit(machines, "description: 'Uploads'", "description: 'All uploads'")
    await button('Update as usual').click()
    const systems = page.getByRole('button', { name: /System in the console/ })
    await systems.getByText('(machine) #2').waitFor()
    await button('All files: 3').click()
    await button('All files: 4').waitFor()
    const third = join(folder, 'third.trace.gz')
    expect(await save(page, third)).toEqual({ uploads: 1, isFromStart: false })
    expect(await ran(replayCommand, third, '--machines', machines)).toMatchObject({ code: 0 })
    expect(await ran(testCommand, third, '--machines', machines)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Reload the app'),
    })
    await systems.click()
    await page.getByRole('option', { name: '(machine) (ended)', exact: true }).click()
    await systems.getByText('(ended)').waitFor()
    const fourth = join(folder, 'fourth.trace.gz')
    expect(await save(page, fourth)).toEqual({ uploads: 3, isFromStart: true })
    expect(watch.problems()).toEqual([])
  } finally {
    await context.close()
  }
})
