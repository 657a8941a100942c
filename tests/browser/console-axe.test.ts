// Checks every view of the console with axe in both themes: one page, one view after the other, wide and
// narrow.
import { expect } from 'vitest'
import { axeComplaints, COLOR_RULES } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

const CONSOLE = 'section[aria-label="Console"]'
const DIALOG = '[role=dialog]'
const pane = (name: string) => `${CONSOLE} [data-pane=${name}]`

test('no view has axe violations, dark or light', async ({ harbour, openWorkbench }) => {
  const workbench = await openWorkbench({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  await workbench.liveMark.waitFor()
  const { page } = workbench
  const console = await workbench.openConsole()
  const found: string[][] = []
  const seen: string[] = []
  let scheme: 'dark' | 'light' = 'dark'
  /** All rules in the theme of the previous view; in the other theme, only those that depend on it. */
  const look = async (view: string, within: string) => {
    seen.push(view)
    await page.locator(within).first().waitFor()
    const addComplaints = (complaints: string[][]) =>
      found.push(...complaints.map(one => [view, scheme, ...one]))
    addComplaints(await axeComplaints(page, within))
    scheme = scheme === 'dark' ? 'light' : 'dark'
    await page.emulateMedia({ colorScheme: scheme })
    addComplaints(await axeComplaints(page, within, COLOR_RULES))
  }
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const show = async (name: string | RegExp) => {
    const tab = console.getByRole('tab', { name })
    await tab.click()
    await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true')
  }

  // The whole live console, then each view in the middle.
  await console.getByRole('application', { name: /^Chart of/ }).waitFor()
  await look('live, with the chart', CONSOLE)
  for (const [view, ready] of [
    ['Sequence', 'Sequence diagram'],
    ['Timeline', 'Timeline'],
    ['Network', 'Network'],
  ] as const) {
    await show(view)
    await console.getByRole('grid', { name: ready }).waitFor()
    await look(view, pane('center'))
  }

  // A past moment, with a selected call, marks and a note.
  const log = console.getByRole('grid', { name: 'Event log' })
  await workbench.logRow('request.start').first().click()
  await press('m', 'Shift+B')
  const bookmarks = page.getByRole('dialog', { name: 'Bookmarks' })
  await bookmarks.getByRole('textbox').fill('here')
  await press('Enter')
  await console.getByRole('button', { name: '1 bookmark' }).press('Enter')
  await bookmarks.getByRole('button', { name: /^here/ }).waitFor()
  await look('bookmarks', DIALOG)
  await press('Escape')
  await log.focus()
  for (const view of ['Event', 'Diff', 'Context', 'Cause', 'History']) {
    await show(new RegExp(`^${view}$`))
    await look(`the selected event: ${view}`, pane('event'))
  }
  await console.getByRole('button', { name: 'Group by cause' }).click()
  await console.getByRole('treegrid', { name: 'Event log' }).waitFor()
  await look('the log in groups', pane('log'))

  // Checks, coverage, replay and export.
  await show(/^Checks/)
  await console.getByText('All checks pass').waitFor()
  await console.getByRole('button', { name: 'Add assertions' }).press('Enter')
  await console.getByRole('textbox', { name: 'Assertions as JSON' }).fill(BROKEN)
  await console.getByRole('button', { name: 'Run 1 check' }).press('Enter')
  await console.getByText('1 of 7 failed, 1 time').waitFor()
  await look('Checks', pane('center'))
  await show('Coverage')
  await console.getByRole('table', { name: 'Coverage' }).waitFor()
  await look('Coverage', pane('center'))
  await show('Replay')
  await look('Replay', pane('center'))
  await show('Export')
  for (const kind of ['Test', 'Steps', 'File']) {
    await show(kind)
    await look(`Export: ${kind}`, pane('center'))
  }

  // The control panel, paused, so that an event waits.
  await console.getByRole('button', { name: 'Control the system' }).click()
  await console.getByRole('button', { name: 'Pause the system' }).click()
  await workbench.sections.getByRole('link', { name: /^Files/ }).click()
  await console.getByText(/\d+ events? waiting/).waitFor()
  for (const tab of [
    /^Paused/,
    /^Send/,
    /^Timers/,
    /^Breakpoints/,
    /^Faults/,
    /^Effects/,
    /^Go to state/,
    /^Branch/,
  ]) {
    await show(tab)
    await look(`Control: ${tab.source.slice(1)}`, pane('drive'))
  }
  await look('a paused system', CONSOLE)
  await console.getByRole('button', { name: 'Resume the system' }).first().click()

  // Overlays.
  for (const [key, view] of [
    ['Control+k', 'palette'],
    ['?', 'keys'],
  ] as const) {
    await console.focus()
    await press(key)
    await look(view, DIALOG)
    await press('Escape')
  }

  await page.setViewportSize({ width: 390, height: 844 })
  await console.getByRole('tablist', { name: 'Views' }).waitFor()
  await look('narrow', CONSOLE)
  const fingers = await page.context().newCDPSession(page)
  await fingers.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const views = console.getByRole('tablist', { name: 'Views' })
  await workbench.showActors()
  await console.getByRole('row', { name: /^session/ }).click()
  await views.getByRole('tab', { name: 'Chart' }).click()
  await console.getByRole('tablist', { name: 'Middle' }).getByRole('tab', { name: 'Chart' }).click()
  const tools = console.getByRole('toolbar', { name: 'Chart' }).getByRole('button')
  await tools.first().waitFor()
  const least = await tools.evaluateAll(all =>
    Math.min(...all.map(one => Math.min(one.clientWidth, one.clientHeight))),
  )
  await fingers.detach()
  expect(least).toBeGreaterThanOrEqual(34)
  expect(found).toEqual([])
  expect(seen).toHaveLength(29)
})

const BROKEN = JSON.stringify([
  {
    name: 'never signs in',
    check: { never: { src: 'session', entered: 'authenticated' }, says: 'A user signed in.' },
  },
])
