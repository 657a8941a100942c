// What a newcomer meets: one status of the backend everywhere, the way to a cause, and signing in by keyboard.
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import type { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

const faults = (url: string, method: string, body?: unknown) =>
  fetch(`${url}/_chartroom/faults`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test.afterEach(async ({ harbour }) => {
  await faults(harbour.url, 'DELETE')
})

const banner = ({ page }: WorkbenchPage) =>
  page.getByRole('status').filter({ hasText: /since \d+:\d\d:\d\d/ })

const focused = ({ page }: WorkbenchPage) =>
  page.evaluate(() => document.activeElement?.getAttribute('autocomplete') ?? document.activeElement?.id)

const focusedName = ({ page }: WorkbenchPage) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : element
    return label?.textContent
  })

test('sign-in by keyboard alone: first field, sign-up with its rule and providers, then the page', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.open('/account/security')
  await page.getByRole('button', { name: 'Continue as guest' }).waitFor()
  await expect.poll(() => focused(workbench)).toBe('username')
  await page.getByRole('button', { name: 'Create an account' }).press('Enter')
  await page.getByText('Use at least 6 characters.').waitFor()
  await expect.poll(() => focused(workbench)).toBe('username')
  await page.getByRole('region', { name: 'Providers' }).getByRole('button', { name: 'GitHub' }).waitFor()
  await page.getByRole('button', { name: 'Already have an account? Sign in' }).press('Enter')
  const { email, password } = harbour.account('skipper')
  await workbench.signInForm.getByLabel('Email').focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await workbench.sections.waitFor()
  // An address with the tab in its path opens the tab.
  await page.getByRole('tab', { name: 'Security', selected: true }).waitFor()
  await expect.poll(() => focused(workbench)).toBe('page')
  // The page is where keys continue, not a control: it has no ring, whose edge would be a stray line.
  expect(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe(
    'none',
  )

  // Each step of a set-up takes the focus, and the button has it again at the end.
  await page.getByRole('button', { name: 'Set up an authenticator app' }).press('Enter')
  await expect.poll(() => focusedName(workbench)).toBe('Name')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(workbench)).toBe('one-time-code')
  await page.getByRole('form', { name: 'First code' }).getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect.poll(() => focusedName(workbench)).toBe('Set up an authenticator app')

  await page.keyboard.press('g')
  await page.keyboard.press('s')
  const menu = page.getByRole('menu', { name: 'Backends and accounts' })
  await menu.getByRole('menuitemradio', { name: /^Sign out/ }).press('Enter')
  await page.getByText('Signed out.').waitFor()
  // The address of the last sign-in is filled in.
  await expect.poll(() => focused(workbench)).toBe('current-password')
})

test('a guest signs out in the menu, after a question that offers to keep the account', async ({
  workbench,
}) => {
  const { page, sections } = workbench
  await workbench.open('/account')
  await page.getByRole('button', { name: 'Continue as guest' }).click()
  await sections.waitFor()
  const question = page.getByRole('alertdialog', { name: 'Sign out and lose this guest account?' })
  const ask = async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    const menu = page.getByRole('menu', { name: 'Backends and accounts' })
    await menu.getByRole('menuitemradio', { name: 'Sign out…' }).press('Enter')
    await question.waitFor()
  }
  await ask()
  await question.getByRole('button', { name: 'Add an email' }).press('Enter')
  await page.getByLabel('Your email').waitFor()
  await ask()
  await question.getByRole('button', { name: 'Sign out and lose account' }).press('Enter')
  await page.getByText('Signed out.').waitFor()
})

test('the chip, the banner and the table agree on maintenance, and recover together', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/status of 503/, /WebSocket|ERR_/)
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  // After a refused request, no socket is tried until the host responds.
  const attempt = page.waitForEvent('websocket')
  await faults(harbour.url, 'POST', [{ story: 'maintenance' }])
  await attempt
  await page.getByRole('link', { name: 'vessels' }).click()
  await banner(workbench).getByText('harbour is under maintenance.').waitFor()
  expect(await workbench.connection.innerText()).toBe('Realtime: maintenance')
  await page.getByText(/^Waiting to load the rows\. harbour is under maintenance\./).waitFor()
  await page
    .getByRole('timer')
    .filter({ hasText: /^Next attempt in|^Retrying/ })
    .waitFor()
  await workbench.goTo('Files')
  expect(await banner(workbench).count()).toBe(1)

  await page.getByRole('button', { name: /^Why\? harbour is under maintenance/ }).press('Enter')
  await workbench.console.waitFor()
  await expect
    .poll(() => new URL(page.url()).searchParams.get('c.actor'))
    .toMatch(/^client\/requests\/request\./)
  // Sockets that could not open are failures as well.
  await workbench.console.getByRole('radio', { name: 'Failed' }).click()
  const calls = workbench.console.getByRole('grid', { name: 'Network' })
  await calls
    .getByRole('row', { name: /^WS realtime\/websocket.*not opened/ })
    .first()
    .waitFor()
  await page.keyboard.press('Control+`')
  await workbench.goTo('Data')
  const checked = page.waitForRequest('**/auth/v1/settings')
  await page.getByRole('button', { name: 'Retry now' }).press('Enter')
  await checked
  await faults(harbour.url, 'DELETE')
  await banner(workbench).waitFor({ state: 'detached' })
  await workbench.rows.first().waitFor()
  // The socket reconnects by its own schedule.
  await expect.poll(() => workbench.connection.innerText(), { timeout: 45_000 }).toBe('Realtime: connected')
})

test('a session that was ended elsewhere: one click shows the refused refresh', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/status of 4\d\d/)
  await workbench.openAs(harbour.account('mate'), '/account')
  await faults(harbour.url, 'POST', [
    { id: 'gone', when: { path: '/auth/v1/token' }, do: { session: 'revoked' }, times: 1 },
  ])
  await page.getByRole('button', { name: 'Refresh now' }).click()
  await workbench.signInForm.waitFor()
  await page.getByRole('button', { name: /^Why\?/ }).press('Enter')
  await workbench.console.waitFor()
  const actor = () => new URL(page.url()).searchParams.get('c.actor')
  await expect.poll(actor).toMatch(/^client\/refresh/)
  // Not in the chart, whose labels have hidden titles.
  const log = workbench.console.getByRole('treegrid', { name: 'Event log' })
  await log.getByText('refresh.failed').first().waitFor()
})

test('joining is the user’s decision; the badge counts joined topics; errors leave with their cause', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  const section = workbench.sections.getByRole('link', { name: /^Realtime/ })
  expect((await section.innerText()).trim()).toBe('Realtime')
  await workbench.goTo('Realtime')
  await page.getByText('No topics joined').waitFor()
  await page.getByRole('button', { name: 'Join a topic' }).click()
  const dialog = page.getByRole('dialog', { name: 'Join a topic' })
  const problem = dialog.getByText('Enter a topic name.')
  await dialog.getByRole('button', { name: 'Join', exact: true }).click()
  await problem.waitFor()
  await dialog.getByRole('textbox', { name: 'Topic', exact: true }).fill('x')
  expect(await problem.count()).toBe(0)
  await dialog.getByRole('textbox', { name: 'Topic', exact: true }).fill('')
  await dialog.getByRole('button', { name: 'Join', exact: true }).click()
  await problem.waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Join a topic' }).click()
  await dialog.waitFor()
  expect(await problem.count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Join bridge' }).click()
  await workbench.present('skipper').waitFor()
  await expect.poll(async () => (await section.innerText()).replaceAll(/\s+/g, ' ').trim()).toBe('Realtime 1')
})

test('the grid: own edits are no news, the inline row can be added, a tooltip takes no clicks', async ({
  harbour,
  openWorkbench,
}) => {
  const workbench = await openWorkbench({ viewport: { width: 1440, height: 900 } })
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  await page.getByRole('gridcell', { name: 'W 3' }).first().dblclick()
  const changed = page.waitForResponse(response => response.request().method() === 'PATCH')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('W 9')
  await page.keyboard.press('Enter')
  await changed
  await workbench.row('W 9').first().waitFor()
  // The change of the other user arrives after the echo of the own one.
  const mate = await openWorkbench()
  await mate.openAs(harbour.account('skipper'), '/data/log_entries')
  await mate.page.getByRole('gridcell', { name: 'NW 2' }).first().dblclick()
  await mate.page.keyboard.press('Control+a')
  await mate.page.keyboard.type('NW 1')
  await mate.page.keyboard.press('Enter')
  await workbench.row('NW 1').getByText('· live').first().waitFor()
  expect(await workbench.row('W 9').getByText('· live').count()).toBe(0)

  await page.getByRole('button', { name: 'Add row inline' }).click()
  const add = page.getByRole('button', { name: 'Add this row' })
  const box = await add.boundingBox()
  expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(1440)
  expect(await add.innerText()).toBe('Add')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Open the console' }).focus()
  const tooltip = page.getByRole('tooltip', { name: 'Open the console' })
  await tooltip.waitFor()
  expect(await tooltip.evaluate(element => getComputedStyle(element).pointerEvents)).toBe('none')
})
