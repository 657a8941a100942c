// Source lines in the console of an app with the Vite plugin: links that open the editor, by pointer and by keyboard.
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { root } from '../../scripts/tool.ts'
import { axeComplaints } from '../harness/axe.ts'
import { withBrowser } from '../harness/browser.ts'
import { watchPage } from '../harness/page-watch.ts'
import { PATIENCE } from '../harness/shared-page.ts'
import { serveApp } from '../harness/vite-plugin-server.ts'

const test = withBrowser.extend('app', async ({}, { onCleanup }) => serveApp('vite-app', onCleanup))

test('links of a state and its transitions open the editor at their lines', async ({
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
    const opened: string[] = []
    await page.route('**/__open-in-editor*', route => {
      opened.push(new URL(route.request().url()).searchParams.get('file') ?? '')
      return route.fulfill({ status: 200 })
    })
    await page.goto(url)
    await page.getByRole('button', { name: 'Lamp: off' }).click()
    await page.keyboard.press('Control+`')
    const console = page.getByRole('region', { name: 'Console' })
    await page.getByRole('button', { name: /System in the console/ }).click()
    await page.getByRole('option', { name: 'lamp', exact: true }).click()
    const file = join(folder, 'lamp.ts')
    const lines = (await readFile(file, 'utf8')).split('\n')
    const line = lines.findIndex(text => text.includes('states:'))
    const place = (text: string) => `${file}:${line + 1}:${(lines[line] ?? '').indexOf(text) + 1}`

    const state = console.locator('[data-state="off"]')
    expect(await state.locator('title').first().textContent()).toBe(`${relative(root, file)}:${line + 1}`)
    const edge = console.locator('[data-edge][data-label] title').first()
    expect(await edge.textContent()).toBe(`switch\n  ${relative(root, file)}:${line + 1}`)
    await state.click()
    const card = console.getByRole('region', { name: 'State off' })
    const links = card.getByRole('button', { name: /^Open in editor: .*lamp\.ts:\d+:\d+$/ })
    expect(await links.allInnerTexts()).toEqual([`lamp.ts:${line + 1}`, `lamp.ts:${line + 1}`])
    expect(await axeComplaints(page, 'section[aria-label="Console"]')).toEqual([])
    await links.first().click()
    await links.nth(1).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => opened).toEqual([place('off:'), place("switch: 'on'")])
    expect(watch.problems()).toEqual([])
  } finally {
    await context.close()
  }
})
