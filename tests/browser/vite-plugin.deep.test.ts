// The Vite plugin in a development server: an app without any line for it, recorded and shown in the console.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { withBrowser } from '../harness/browser.ts'
import { watchPage } from '../harness/page-watch.ts'
import { PATIENCE } from '../harness/shared-page.ts'
import { dock } from '../harness/own-window.ts'
import { serveApp } from '../harness/vite-plugin-server.ts'

const test = withBrowser.extend('app', async ({}, { onCleanup }) => serveApp('vite-app', onCleanup))

const consoleOf = (page: Page) => page.getByRole('region', { name: 'Console' })
const choiceOf = (page: Page) => page.getByRole('button', { name: /System in the console/ })

async function choose(page: Page, name: string): Promise<void> {
  await choiceOf(page).click()
  await page.getByRole('option', { name, exact: true }).click()
}

/** Waits until the log of the shown system has this event. */
const logged = (view: Page, event: string): Promise<void> =>
  (consoleOf(view).getByRole('treegrid', { name: 'Event log' }) as Locator)
    .getByText(event, { exact: true })
    .first()
    .waitFor()

/** Waits until the chart of the shown actor has boxes for its states. */
async function drawn(view: Page, states: readonly string[]): Promise<void> {
  for (const state of states) {
    const shape = consoleOf(view).locator(`[data-state="${state}"]`)
    await shape.waitFor()
    const box = await shape.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(10)
  }
}

test('an app in strict mode is recorded, through a hot update, also in a separate window', async ({
  app: { folder, url },
  browser,
}) => {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    const watch = watchPage(page)
    const paths: string[] = []
    page.on('request', request => void paths.push(new URL(request.url()).pathname))

    await page.goto(`${url}plain.html`)
    await page.getByText('plain').waitFor()
    expect(paths.filter(path => /xstate|chartroom:|\/package\//.test(path))).toEqual([])

    await page.goto(url)
    await page.getByRole('button', { name: 'Lamp: off' }).click()
    await page.getByRole('button', { name: 'Tick' }).click()
    // Nothing of the console is loaded yet.
    expect(paths.filter(path => /\/dock-[\w-]+\.js$/.test(path))).toEqual([])
    await page.getByRole('button', { name: 'Chartroom' }).waitFor()
    await page.keyboard.press('Control+`')
    await consoleOf(page).waitFor()
    await logged(page, 'tick')
    await choiceOf(page).click()
    // Strict mode created a second lamp, which it never started.
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['clock', 'lamp'])
    await page.getByRole('option', { name: 'lamp' }).click()
    await logged(page, 'switch')
    await drawn(page, ['off', 'on'])

    // The component keeps its state and continues with a new actor.
    const machine = join(folder, 'lamp.ts')
    await writeFile(machine, (await readFile(machine, 'utf8')).replace('A lamp', 'A bright lamp'))
    await page.getByRole('button', { name: 'Update as usual' }).click()
    await choiceOf(page).getByText('lamp #2').waitFor()
    await page.getByRole('button', { name: 'Lamp: on' }).click()
    await page.getByRole('button', { name: 'Lamp: off' }).waitFor()
    await logged(page, 'switch')

    const opening = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Open the console in a separate window' }).click()
    const own = await opening
    own.setDefaultTimeout(PATIENCE)
    await logged(own, 'switch')
    await consoleOf(page).waitFor({ state: 'detached' })
    await choose(own, 'clock')
    await logged(own, 'tick')
    await drawn(own, ['even', 'odd'])
    await dock(own)
    await logged(page, 'tick')
    await page.keyboard.press('Alt+c')
    await consoleOf(page).waitFor({ state: 'detached' })
    expect(watch.problems()).toEqual([])
  } finally {
    await context.close()
  }
})
