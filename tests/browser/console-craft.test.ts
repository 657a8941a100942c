// The console by keyboard only: palette, key sheet, panes, saved layouts, row menu.
import { expect } from 'vitest'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer } from '../harness/viewer-page.ts'

const test = withViewer

test('a keyboard journey: search, show, mark, save and restore', async ({ viewer }) => {
  const { page, console } = viewer
  const param = (name: string) => viewer.param(name)
  await viewer.open(atWork(), { viewport: { width: 1680, height: 900 } })
  await console.focus()
  const found = page.getByRole('listbox', { name: 'Results' })
  const first = found.getByRole('option').first()

  /** The console handles keys again once the palette is closed. */
  const haveFocusBack = async () => {
    await expect.poll(() => console.evaluate(section => section === document.activeElement)).toBe(true)
  }

  // The palette selects an actor and returns the focus.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('conection')
  await expect.poll(() => first.innerText()).toMatch(/^realtime\/connection/)
  await page.keyboard.press('Enter')
  await expect.poll(() => param('actor')).toBe('client/realtime/connection')
  await haveFocusBack()

  // It shows a view, and explains why a command is disabled.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>download recording')
  await found.getByRole('option', { name: /a file is shown/, disabled: true }).waitFor()
  await page.keyboard.press('Escape')
  await haveFocusBack()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('show timeline')
  await page.keyboard.press('Enter')
  await console.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
  await haveFocusBack()
  await page.keyboard.press('1')
  await console.getByRole('tab', { name: 'Chart', selected: true }).waitFor()

  // The sheet lists every key.
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Console shortcuts' })
  await sheet.getByRole('searchbox', { name: 'Find a shortcut' }).fill('mark')
  await sheet.getByRole('region', { name: 'State' }).getByText('M', { exact: true }).waitFor()
  expect(await sheet.getByText('Go to cause').count()).toBe(0)
  // First clears the search, then closes the sheet.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })

  // A row's menu marks, filters and copies.
  const log = console.getByRole('treegrid', { name: 'Event log' })
  await log.focus()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect.poll(() => param('a')).toBe('0')
  await log.getByRole('img', { name: 'Mark A' }).waitFor()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu', { name: 'Event 0' })
  await menu.waitFor()
  await page.keyboard.type('Copy the event')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/"type": "xstate.init"/)
  await menu.waitFor({ state: 'detached' })
  await expect.poll(() => log.evaluate(one => one.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Shift+F10')
  await menu.waitFor()
  await page.keyboard.type('Without')
  await page.keyboard.press('Enter')
  await expect.poll(() => param('q')).toBe('-type:xstate.init')

  // Panes are hidden and maximized, and the layout is saved under a name.
  await log.focus()
  await page.keyboard.press('t')
  await console.getByRole('treegrid', { name: 'Actors' }).waitFor({ state: 'detached' })
  await page.keyboard.press('z')
  await expect.poll(() => param('big')).toBe('log')
  expect(await console.getByRole('tablist', { name: 'Middle' }).count()).toBe(0)
  await page.keyboard.press('z')
  const layout = console.getByRole('button', { name: /^Layout:/ })
  await expect.poll(() => layout.getAttribute('aria-label')).toBe('Layout: Custom layout')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('save layouts')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Layouts' })
  await dialog.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.type('Night watch')
  await dialog.getByRole('checkbox', { name: /with the query/ }).press('Space')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Copy a link to Night watch' }).press('Enter')
  await page.keyboard.press('Escape')

  // Another layout, then back: by name after a reload, and by its link.
  await layout.press('Enter')
  await page.keyboard.type('Present')
  await page.keyboard.press('Enter')
  await log.waitFor({ state: 'detached' })
  await expect.poll(() => param('panes')).toBe('none')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(link).search).toBe('?panes=event%2Clog&q=-type%3Axstate.init')
  await page.reload()
  await console.waitFor()
  await expect.poll(() => layout.getAttribute('aria-label')).toBe('Layout: Present')
  // The page has its own palette.
  await console.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('night')
  await page.keyboard.press('Enter')
  await expect.poll(() => layout.getAttribute('aria-label')).toBe('Layout: Night watch')
  await expect.poll(() => [param('panes'), param('q')]).toEqual(['event,log', '-type:xstate.init'])

  // On a narrow screen, commands without space move to a menu; nothing is cut off.
  await page.setViewportSize({ width: 320, height: 640 })
  await console.getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Open a trace file' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
