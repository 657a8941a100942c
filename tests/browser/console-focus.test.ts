// Where the focus is after the focused element is gone: nearby, never on the page.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

/** Waits until the element has left the page; then, as after the browser's next frames, where the focus is. */
async function expectFocusKept(page: Page, action: string, gone: Locator) {
  await gone.waitFor({ state: 'detached' })
  const where = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 4; frame += 1) await new Promise(done => requestAnimationFrame(done))
      const { activeElement: on, body } = document
      return on === null || on === body ? 'the page' : (on.ariaLabel ?? on.textContent ?? on.tagName)
    })
  expect({ action, focus: await where() }).not.toEqual({ action, focus: 'the page' })
}

test('every action of the console that removes the focused element leaves the focus nearby', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await page.setViewportSize({ width: 1440, height: 900 })
  await workbench.openAs(harbour.account('skipper'), '/account')
  const opener = page.getByRole('button', { name: 'Open the console' })
  await opener.press('Enter')
  const { console } = workbench
  await console.waitFor()
  const button = (name: string | RegExp) => console.getByRole('button', { name }).first()
  const log = console.getByLabel('Event log')
  const tab = (name: RegExp) => console.getByRole('tab', { name }).first()
  const keys = async (...all: readonly string[]) => {
    for (const key of all) await page.keyboard.press(key)
  }
  /** Presses a button by keyboard, which removes it, or what it is in. */
  const press = async (target: Locator, gone = target) => {
    const action = `${await target.getAttribute('aria-label')} ${await target.innerText()}`
    // A locator by name would find the next button of that name.
    const element = await gone.elementHandle()
    await target.press('Enter')
    await element?.waitForElementState('hidden')
    await expectFocusKept(page, action, page.locator('[data-never]'))
  }

  // The toolbar.
  await button('Previous event').press('Enter')
  await press(button(/^Live/))
  await button('Previous event').press('Enter')
  await press(console.getByRole('button', { name: /^Live/ }))
  const filter = console.getByRole('combobox', { name: 'Filter the log' })
  await filter.fill('actor:session -noop')
  await press(button(/^Remove .*noop/))
  await press(button(/^Remove .*session/))
  await filter.fill('session')
  await press(button('Clear filter'))
  await button('Pause the system').press('Enter')
  await button('Resume the system').press('Enter')
  await press(button('Sync'))

  // Bookmarks: the removed row, and the undo of it.
  await log.focus()
  await keys('g', 'Shift+B')
  const bookmarks = page.getByRole('dialog', { name: 'Bookmarks' })
  await bookmarks.getByRole('textbox').fill('here')
  await keys('Enter')
  await expectFocusKept(page, 'bookmark', bookmarks)
  await button('1 bookmark').press('Enter')
  await press(bookmarks.getByRole('button', { name: 'Remove: here' }))
  await press(bookmarks.getByRole('button', { name: 'Undo' }))
  await keys('Escape')
  await expectFocusKept(page, 'close bookmarks', bookmarks)
  await keys('l')

  // Panels: closed by key while the focus is in them, and rows of their lists.
  await keys('i')
  await tab(/^Faults/).press('Enter')
  await button('Set: Offline').press('Enter')
  await press(console.getByRole('group', { name: 'Control status' }).getByRole('button', { name: /^Clear/ }))
  await tab(/^Faults/).focus()
  await keys('i')
  await expectFocusKept(page, 'close the control panel', tab(/^Faults/))
  await button('Actors').press('Enter')
  const actors = console.getByRole('treegrid', { name: 'Actors' })
  await actors.waitFor()
  await press(button('Close: Actors'))
  await expectFocusKept(page, 'close the drawer', actors)
  await tab(/^Diff/).focus()
  await keys('e')
  await expectFocusKept(page, 'hide the selected event', tab(/^Diff/))
  await keys('e')

  // The chart: its card, and a tab's own content.
  await tab(/^Export/).press('Enter')
  await button('Create test').focus()
  await keys('1')
  await expectFocusKept(page, 'another tab', button('Create test'))

  // Menus and dialogs.
  for (const [name, role] of [
    ['Layout: Debug', 'menu'],
    ['Playback speed: 1×', 'menu'],
    ['Keyboard shortcuts', 'dialog'],
    ['Console commands…', 'dialog'],
    ['Earlier recordings', 'dialog'],
  ] as const) {
    await button(name).press('Enter')
    await page.getByRole(role).first().waitFor()
    await keys('Escape')
    await page
      .getByRole(role)
      .first()
      .waitFor({ state: 'detached' })
      .catch(() => undefined)
    await expectFocusKept(page, `close ${name}`, page.getByRole(role))
  }

  // The recording is stopped, replaced by a file, and started again.
  await button('Stop recording').press('Enter')
  await expectFocusKept(page, 'stop', button('Stop recording'))
  const saved = await workbench.downloadRecording()
  await console
    .getByLabel('Trace file', { exact: true })
    .setInputFiles({ name: 'night.trace.gz', mimeType: 'application/gzip', buffer: saved })
  await press(button('Close file'))
  await button('New recording').press('Enter')
  await expectFocusKept(page, 'new recording', button('New recording'))

  // A sandbox, and back.
  await log.focus()
  await keys('g', 'i')
  await tab(/^Branch/).press('Enter')
  await workbench.sections.getByRole('link', { name: /^Files/ }).click()
  await workbench.logRow('request.start').first().click()
  await press(button('Branch from here'))
  await page.getByRole('status', { name: 'Sandbox' }).waitFor()
  await expectFocusKept(page, 'branch', page.locator('[data-never]'))
  await press(page.getByRole('button', { name: 'Back to the live system' }))

  // The console itself: back to the button that opened it.
  await press(button('Close console'))
  await expect.poll(() => opener.evaluate(it => it === document.activeElement)).toBe(true)
})
