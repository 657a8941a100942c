// The frame: palette, shortcuts, tour, hosts, notices and the policy, on one page, by role and by keyboard.
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('a new user finds everything by keyboard', async ({ harbour, workbench }) => {
  const { page, watch } = workbench
  // The diagnostics call a function that does not exist, and the REST root, which is closed to publishable keys.
  watch.allow(/status of 404 .*functions\/v1/, /status of 401 .*rest\/v1\/\)/, /ERR_|WebSocket/)
  const watching = await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', event =>
      reportError(new Error(`blocked by policy: ${event.effectiveDirective} ${event.blockedURI}`)),
    ),
  )
  const answered = page.waitForResponse(response => new URL(response.url()).pathname === '/connections')
  await workbench.openAs(harbour.account('skipper'), '/connections')
  expect((await (await answered).allHeaders())['content-security-policy']).toContain(
    `script-src ${harbour.url}/assets/;`,
  )

  const tour = page.getByRole('region', { name: /^Tour|^The harbour demo|^Accounts and backends/ })
  await tour.getByRole('button', { name: 'Take the tour' }).press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/data/log_entries')
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await page.getByRole('heading', { name: 'Accounts and backends' }).waitFor()
  await page.keyboard.press('Escape')
  await tour.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('/data')

  // An idle page renders nothing.
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)

  // A focused button with an icon shows its name; its tooltip closes with Escape, and keys still reach the app.
  await page.getByRole('button', { name: 'Open the console' }).focus()
  const tooltip = page.getByRole('tooltip', { name: 'Open the console' })
  await tooltip.waitFor()
  await page.keyboard.press('Escape')
  await tooltip.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('voy')
  await palette.getByRole('option', { name: /voyages/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/data/voyages')

  await workbench.sections.getByRole('link', { name: /^Data\b/ }).focus()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Switch backend or account').waitFor()
  // On a table it also lists the keys of the grid.
  await sheet.getByText('Paste, starting at the selected cell').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })

  await page.keyboard.press('g')
  await page.keyboard.press('s')
  const menu = page.getByRole('menu', { name: 'Backends and accounts' })
  await menu.getByRole('menuitemradio', { name: 'skipper@harbour.test', checked: true }).waitFor()
  await menu.getByRole('menuitemradio', { name: /^Manage backends/ }).press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/connections')

  await page.getByRole('button', { name: 'Run diagnostics of harbour' }).press('Enter')
  const look = page.getByRole('region', { name: 'Diagnostics of harbour' })
  await look.getByText('All services OK').waitFor()
  await look.getByText(/^This device’s clock is in sync/).waitFor()
  const form = page.getByRole('form', { name: 'Connect to a backend' })
  await form.getByLabel('URL').fill('https://supabase.com/dashboard/project/abcdefghijklmnopqrst/editor')
  await form.getByText('Using https://abcdefghijklmnopqrst.supabase.co').waitFor()
  await form.getByLabel('Publishable key').fill('sb_secret_0123456789')
  await form.getByRole('button', { name: 'Connect' }).press('Enter')
  await form.getByText(/This is a secret key/).waitFor()
  // The address is restored; the typed key is stored nowhere.
  await page.reload()
  await expect.poll(() => form.getByLabel('URL').inputValue()).toMatch(/^https:\/\/supabase\.com/)
  expect(await form.getByLabel('Publishable key').inputValue()).toBe('')
  const stored = await page.evaluate(() =>
    [localStorage, sessionStorage].flatMap(each => Object.values(each)),
  )
  expect(stored.filter(text => String(text).includes('sb_secret'))).toEqual([])
  await watching.dispose()
})

test('hosts are added, renamed, moved, removed and restored', async ({ harbour, workbench }) => {
  const { page, watch } = workbench
  watch.allow(/status of 404 .*functions\/v1/, /ERR_|WebSocket|Failed to load resource/)
  await workbench.openAs(harbour.account('mate'), '/connections')
  // A failed load is shown next to the content, without taking its space.
  const switcher = page.getByRole('button', { name: /^Backend and account/ })
  const menuCode = '**/assets/switcher-menu*'
  await page.route(menuCode, route => route.abort())
  await switcher.click()
  await page.getByText('The menu could not be loaded').waitFor()
  expect(await page.getByRole('banner').getByText('could not be loaded').count()).toBe(0)
  await page.unroute(menuCode)
  const other = harbour.url.replace('127.0.0.1', 'localhost')
  const { key } = (await (await fetch(`${harbour.url}/_chartroom/config`)).json()) as { key: string }
  const form = page.getByRole('form', { name: 'Connect to a backend' })
  // As copied from a settings file.
  await form.getByLabel('URL').focus()
  await page.evaluate(text => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, `SUPABASE_URL=${other}\nSUPABASE_KEY=${key}\nSUPABASE_SECRET=sb_secret_0123456789`)
  expect(await form.getByLabel('URL').inputValue()).toBe(other)
  await page.getByText('The secret key was ignored').waitFor()
  await form.getByRole('button', { name: 'Connect' }).click()
  await workbench.signInForm.waitFor()

  // Another host and account can be selected without a network, too.
  await switcher.click()
  const mate = page.getByRole('menuitemradio', { name: 'mate@harbour.test' })
  await mate.waitFor()
  await page.context().setOffline(true)
  await mate.click()
  await workbench.sections.waitFor()
  await page.getByText('You’re offline.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You’re offline.').waitFor({ state: 'detached' })
  await workbench.goTo('Connections')
  const menus = page
    .getByRole('list', { name: 'Saved connections' })
    .getByRole('button', { name: /^More for / })
  const shown = () =>
    menus.evaluateAll(all => all.map(one => one.getAttribute('aria-label')?.replace('More for ', '')))
  const more = async (name: string, what: string) => {
    await page.getByRole('button', { name: `More for ${name}` }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await more(new URL(other).host, 'Rename')
  await page.getByRole('textbox', { name: 'Name' }).fill('Port')
  await page.keyboard.press('Enter')
  await expect.poll(shown).toEqual(['harbour', 'Port'])
  await page.getByRole('button', { name: 'Move Port' }).press('ArrowUp')
  await expect.poll(shown).toEqual(['Port', 'harbour'])
  await more('Port', 'Remove')
  await expect.poll(shown).toEqual(['harbour'])
  await workbench.undo.click()
  await expect.poll(shown).toEqual(['Port', 'harbour'])
})
