// The network view's contents: headers, bodies and messages while the console is open, without credentials.
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('a request shows its parameters, headers and response, a socket its messages; both without credentials', async ({
  harbour,
  openWorkbench,
}) => {
  const workbench = await openWorkbench({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/connections')
  const console = await workbench.openConsole()
  await console.getByRole('tab', { name: 'Network' }).click()
  await workbench.goTo('Data')
  await page.getByRole('link', { name: 'vessels' }).click()
  await workbench.row('Kittiwake').waitFor()
  const network = console.getByRole('grid', { name: 'Network' })
  const details = console.getByRole('region', { name: 'Selected request' })
  const show = (section: string) => details.getByRole('radio', { name: section }).click()
  const answered = network
    .getByRole('row', { name: /GET rest\/vessels/ })
    .filter({ has: page.getByText(/^20[06]\s*$/) })
  await answered.last().click()
  await details
    .getByRole('region', { name: 'Query parameters' })
    .getByText('select', { exact: true })
    .waitFor()

  await show('Headers')
  const headers = details.getByRole('region', { name: 'Request headers' })
  await headers.getByText('Bearer [hidden]').waitFor()
  await details.getByRole('region', { name: 'Response headers' }).getByText('content-type').waitFor()
  await show('Response')
  await details.getByText(/"name": "Kittiwake"/).waitFor()
  await details.getByRole('button', { name: 'Copy as fetch, without secrets' }).click()
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(clipboard).toContain('authorization: `Bearer ${ACCESS_TOKEN}`')

  await network
    .getByRole('row', { name: /WS realtime/ })
    .last()
    .click()
  await show('Messages')
  const messages = details.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await messages.filter({ hasText: 'phx_join' }).first().waitFor()
  const shown = await console.innerText()
  const secrets = await page.evaluate(() =>
    Object.values(localStorage).flatMap(text => {
      try {
        const { access_token: access, refresh_token: refresh } = JSON.parse(text)
        return [access, refresh].filter(one => typeof one === 'string')
      } catch {
        return []
      }
    }),
  )
  expect(secrets.length).toBeGreaterThanOrEqual(2)
  for (const secret of [...secrets, await clipboard()]) expect(shown).not.toContain(secret)
  for (const secret of secrets) expect(await clipboard()).not.toContain(secret)
})
