// The console by keyboard only: palette, key sheet, panes, saved layouts, row menu; axe in every color
// scheme.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeComplaints } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(`c.${name}`)

const SCHEMES = {
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  light: { colorScheme: 'light', forcedColors: 'none' },
  forced: { colorScheme: 'dark', forcedColors: 'active' },
} as const
type Scheme = keyof typeof SCHEMES

/** Returns the axe violations of a part of the page in each of these schemes. */
async function axeIn(page: Page, schemes: readonly Scheme[], within: string): Promise<unknown[]> {
  const found: (readonly string[])[] = []
  for (const scheme of schemes) {
    await page.emulateMedia(SCHEMES[scheme])
    const complaints = await axeComplaints(page, within)
    // Forced colors are the system's, but axe computes with the replaced ones.
    found.push(...complaints.filter(([rule]) => scheme !== 'forced' || rule !== 'color-contrast'))
  }
  return found
}

test('a keyboard journey: search, show, mark, save and restore', async ({ harbour, openWorkbench }) => {
  const workbench = await openWorkbench({
    viewport: { width: 1680, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await workbench.openAs(harbour.account('skipper'))
  const { page, console } = workbench
  await page.keyboard.press('Control+`')
  await console.waitFor()
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
  expect(await axeIn(page, ['dark', 'light', 'forced'], '[role=dialog]')).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => param(page, 'actor')).toBe('client/realtime/connection')
  await haveFocusBack()

  // It shows a view, and explains why a command is disabled.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>step one event')
  await found.getByRole('option', { name: /no events waiting/, disabled: true }).waitFor()
  await page.keyboard.press('Escape')
  await haveFocusBack()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('show timeline')
  await page.keyboard.press('Enter')
  await console.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
  await haveFocusBack()
  // The selected tab stays visible as its pane becomes narrow.
  await page.keyboard.press('8')
  const keep = console.getByRole('tab', { name: 'Export', selected: true })
  await keep.waitFor()
  await page.keyboard.press('i')
  await console.getByRole('tab', { name: 'Breakpoints' }).waitFor()
  await expect
    .poll(() =>
      keep.evaluate(tab => {
        const [own, line] = [tab, tab.parentElement ?? tab].map(part => part.getBoundingClientRect())
        return (own?.left ?? 0) >= (line?.left ?? 0) && (own?.right ?? 0) <= (line?.right ?? 0) + 1
      }),
    )
    .toBe(true)
  await page.keyboard.press('i')
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
  expect(await axeIn(page, ['light'], '[role=dialog]')).toEqual([])
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })

  // A row's menu marks, filters and copies.
  const log = console.getByRole('grid', { name: 'Event log' })
  await log.focus()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect.poll(() => param(page, 'a')).toBe('0')
  await log.getByRole('img', { name: 'Mark A' }).waitFor()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu', { name: 'Event 0' })
  await menu.waitFor()
  expect(await axeIn(page, ['dark'], '[role=menu]')).toEqual([])
  await page.keyboard.type('Copy the event')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/"type": "xstate.init"/)
  await page.keyboard.press('Shift+F10')
  await menu.waitFor()
  await page.keyboard.type('Without')
  await page.keyboard.press('Enter')
  await expect.poll(() => param(page, 'q')).toBe('-type:xstate.init')

  // Panes are hidden and maximized, and the layout is saved under a name.
  await log.focus()
  await page.keyboard.press('t')
  await console.getByRole('treegrid', { name: 'Actors' }).waitFor({ state: 'detached' })
  await page.keyboard.press('z')
  await expect.poll(() => param(page, 'big')).toBe('log')
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
  expect(await axeIn(page, ['light'], '[role=dialog]')).toEqual([])
  await page.keyboard.press('Escape')

  // Another layout, then back: by name after a reload, and by its link.
  await layout.press('Enter')
  await page.keyboard.type('Present')
  await page.keyboard.press('Enter')
  await log.waitFor({ state: 'detached' })
  await expect.poll(() => param(page, 'panes')).toBe('none')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(link).search).toBe('?c.q=-type%3Axstate.init&c.panes=event%2Clog')
  await page.reload()
  await console.waitFor()
  await expect.poll(() => layout.getAttribute('aria-label')).toBe('Layout: Present')
  // The page has its own palette.
  await console.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('night')
  await page.keyboard.press('Enter')
  await expect.poll(() => layout.getAttribute('aria-label')).toBe('Layout: Night watch')
  await expect
    .poll(() => [param(page, 'panes'), param(page, 'q')])
    .toEqual(['event,log', '-type:xstate.init'])

  // On a narrow screen, commands without space move to a menu; nothing is cut off.
  await page.setViewportSize({ width: 320, height: 640 })
  await console.getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Open a trace file' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  expect(await axeIn(page, ['dark', 'forced'], 'section[aria-label="Console"]')).toEqual([])
})
