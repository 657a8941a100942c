// Functions and topics in use: streaming responses, errors with their body, messages and row changes, and
// faults during work in progress.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Fault } from '../../backend/faults/index.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

/** What Chromium itself reports when a request fails or a socket is lost. */
const NETWORK = [/Failed to load resource/, /WebSocket connection/, /ERR_/]

const plan = async (page: Page, url: string, ...faults: readonly Fault[]) => {
  const answer = await page.request.put(`${url}/_chartroom/faults`, { data: { faults } })
  expect(answer.status()).toBe(200)
}

test('functions: a stream that continues across pages and is stopped; errors; the history', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(...NETWORK)
  await workbench.openAs(harbour.account('skipper'), '/functions')
  const form = page.getByRole('form', { name: 'Request' })
  const answer = page.getByRole('region', { name: 'Response' })
  const example = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Examples' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const pieces = answer.getByRole('option')

  // G and R would open another page if they were not typed into a field. In the color field: the browser must
  // not keep the style of overwritten text, which the policy rejects and the page would report.
  const body = form.getByLabel('JSON body').and(page.locator('[contenteditable]'))
  await body.fill('{ "port": "')
  await body.pressSequentially('Grey')
  await form.getByLabel('Function', { exact: true }).press('Enter')
  await form.getByText(/unexpected .* at line 1, column 11/).waitFor()
  await example(/Sightings as events/)
  await form.getByRole('tab', { name: 'Query 2' }).waitFor()
  await form.getByLabel('Query 1: value').fill('10000')
  await form.getByLabel('Query 2: value').fill('30')
  await form.getByLabel('Query 2: value').press('Control+Enter')
  await pieces.nth(2).waitFor()
  await workbench.goTo('Account')
  await workbench.goTo('Functions')
  await answer.getByText('receiving').waitFor()
  const parts = answer.getByRole('listbox')
  // More than are rendered at once.
  await expect.poll(() => parts.evaluate(list => list.scrollHeight / list.clientHeight)).toBeGreaterThan(3)
  await form.getByRole('button', { name: 'Stop' }).click()
  await answer.getByText('Canceled. Partial response below.').waitFor()
  await parts.press('End')
  await parts.press('Home')
  await expect.poll(() => answer.getByLabel('Selected chunk').inputValue()).toContain('"what": "a light"')
  // Only a row that exists can be the active one.
  const active = async () => page.locator(`#${await parts.getAttribute('aria-activedescendant')}`).count()
  await expect.poll(active).toBe(1)
  await parts.evaluate(list => (list.scrollTop = list.scrollHeight))
  await expect.poll(() => parts.getAttribute('aria-activedescendant')).toBeNull()
  await parts.press('Home')
  await expect.poll(active).toBe(1)

  await plan(page, harbour.url, { when: { family: 'functions' }, times: 1, do: { truncate: 2_000 } })
  await page.getByRole('button', { name: 'Send GET watch again' }).click()
  await answer.getByText(/^The connection was lost before the response was complete/).waitFor()
  await pieces.filter({ hasText: 'a light' }).last().waitFor()

  await example(/Error with a body/)
  await form.getByRole('tab', { name: 'Headers' }).click()
  await form.getByLabel('Header 1: name').fill('X-Api-Key')
  await form.getByLabel('Header 1: value').fill('top-secret-of-the-sea')
  await form.getByRole('button', { name: 'Call' }).click()
  await answer.getByText('422 Unprocessable').waitFor()
  await answer.getByText(/A draught of 12 m is too much/).waitFor()
  await example(/as an image/)
  await page.getByRole('button', { name: 'Examples' }).press('Control+Enter')
  await expect
    .poll(() =>
      answer
        .getByRole('img', { name: 'Function response' })
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(320)

  // Responses of earlier calls can be found and shown, until the page reloads.
  const before = page.getByRole('region', { name: 'History' })
  const showing = before.getByRole('button', { name: /^Show response of/ })
  await showing.first().click()
  const dialog = page.getByRole('dialog', { name: /^Response of/ })
  await dialog.getByText('Kept in memory until the page reloads').waitFor()
  await page.keyboard.press('Escape')
  await before.getByRole('textbox', { name: 'Filter history' }).fill('no response has this')
  await before.getByText('No calls match').waitFor()
  await before.getByRole('textbox', { name: 'Filter history' }).fill('a draught of 12 m')
  await before.getByText(/A draught of 12 m is too much/).waitFor()
  expect(await before.getByRole('listitem').count()).toBe(1)

  await page.reload()
  await expect.poll(() => before.getByRole('listitem').count()).toBe(4)
  expect(await showing.count()).toBe(0)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('top-secret-of-the-sea')
  await before.getByTitle('Load into form').nth(1).click()
  await form.getByRole('button', { name: 'Call' }).click()
  await form.getByText('Secrets are not stored. Enter them again in place of [redacted].').waitFor()
})

test('realtime: several topics, row changes, and a lost connection while a message is being written', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(...NETWORK)
  await workbench.openAs(harbour.account('skipper'), '/realtime/bridge')
  await workbench.present('skipper').waitFor()
  await workbench.sendMessage('Cast off')
  await workbench.message('Cast off').waitFor()

  await page.getByRole('button', { name: 'Join a topic' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Topic' }).fill('log')
  await dialog.getByRole('button', { name: 'Listen to a table' }).click()
  await dialog.getByRole('combobox', { name: 'Table' }).fill('log_entries')
  await dialog.getByRole('combobox', { name: 'Table' }).press('Tab')
  await dialog.getByRole('button', { name: 'Add filter' }).click()
  await dialog.getByRole('combobox', { name: 'Column' }).fill('depth')
  await dialog.getByLabel('Value').fill('5')
  await dialog.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByText(/^Row changes are not available as requested/).waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Settings' }).click()
  await dialog.getByRole('combobox', { name: 'Column' }).fill('wind')
  await dialog.getByLabel('Value').fill('SW 9')
  await dialog.getByRole('button', { name: 'Rejoin' }).click()
  await page.getByText('changes live', { exact: true }).waitFor()
  await workbench.goTo('Data')
  await page.getByRole('link', { name: 'log_entries' }).click()
  await workbench.liveMark.waitFor()
  await workbench.addRow({ wind: 'N 1', note: 'Not of this gale' })
  await workbench.addRow({ wind: 'SW 9', note: 'Of this gale, to be heard' })
  await workbench.goTo('Realtime')
  const topics = page.getByRole('navigation', { name: 'Topics' })
  await topics.getByRole('link', { name: /log.*1 new/ }).click()
  await workbench.message('Of this gale, to be heard').waitFor()
  expect(await workbench.message('Not of this gale').count()).toBe(0)
  await page.getByRole('option', { name: /INSERT/ }).click()
  await expect
    .poll(() => page.getByLabel('Payload', { exact: true }).inputValue())
    .toContain('"wind": "SW 9"')

  await topics.getByRole('link', { name: /bridge/ }).click()
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('Belay that')
  await plan(
    page,
    harbour.url,
    { id: 'cut', when: { event: 'open' }, do: { close: 'abrupt' } },
    { id: 'shut', when: { event: 'upgrade' }, do: { status: 503 } },
  )
  await page.getByText(/^Not joined/).waitFor()
  expect(await message.inputValue()).toBe('Belay that')
  expect(await workbench.message('Cast off').isVisible()).toBe(true)
  await plan(page, harbour.url)
  await expect.poll(() => workbench.present('skipper').isVisible()).toBe(true)
  await page.getByText(/^Not joined/).waitFor({ state: 'detached' })
  // In between, while it rejoins, nothing can be sent.
  await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true)
  await message.press('Enter')
  await workbench.message('Belay that').waitFor()
  await expect.poll(() => page.getByRole('img', { name: /median acknowledgment/ }).count()).toBe(1)
})
