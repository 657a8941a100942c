// A backend that no longer accepts the key, as after a rotation; and page loads that ask no more than they need.
import { expect } from 'vitest'
import { axeInThemes } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('a page load sends one request before the rows, and refreshes no token', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/)
  const given = (await (await fetch(`${harbour.url}/_chartroom/config`)).json()) as Record<string, unknown>
  const { schema: _, ...config } = given
  await page.route('**/_chartroom/config', route => route.fulfill({ json: config }))
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  await page.getByRole('grid', { name: 'Rows of vessels' }).waitFor()
  const calls: string[] = []
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (/^\/(rest|auth|storage)\/v1\//.test(pathname)) calls.push(`${request.method()} ${pathname}${search}`)
  })
  await page.reload()
  await page.getByRole('grid', { name: 'Rows of vessels' }).waitFor()
  const rows = calls.findIndex(call => call.startsWith('GET /rest/v1/vessels'))
  expect(calls.filter(call => call.includes('grant_type=refresh_token'))).toEqual([])
  expect(calls.slice(0, rows)).toEqual(['GET /rest/v1/'])
})

test('a rejected key is named, and another key is entered by keyboard without a new sign-in', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/)
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  await page.getByRole('grid', { name: 'Rows of vessels' }).waitFor()
  const { key } = (await (await fetch(`${harbour.url}/_chartroom/config`)).json()) as { key: string }
  // The backend accepts only a rotated key from now on; the page still has the earlier one.
  const rotated = 'sb_publishable_rotated_1234567890'
  const calls: string[] = []
  await page.route(/\/(rest|auth|storage|functions)\/v1\//, route => {
    const request = route.request()
    calls.push(request.url())
    const headers = request.headers()
    if (headers['apikey'] === rotated)
      return route.continue({
        headers: {
          ...headers,
          apikey: key,
          ...(headers['authorization'] === `Bearer ${rotated}` && { authorization: `Bearer ${key}` }),
        },
      })
    return route.fulfill({
      status: 401,
      json: { message: 'Invalid API key', hint: 'Double check your API key.' },
    })
  })
  await page.reload()
  const banner = page.getByRole('region', { name: 'Backend status' })
  await banner.getByText(/This key is no longer accepted by/).waitFor()
  await page.getByRole('status', { name: 'Realtime: key rejected' }).waitFor()
  await page.getByText(/can’t be loaded|Could not load the rows|list of tables could not be loaded/).waitFor()
  expect(calls.filter(url => url.includes('refresh_token'))).toEqual([])
  expect(await axeInThemes(page, 'body')).toEqual([])
  const shots = process.env['CHARTROOM_SHOTS']
  if (shots !== undefined) await page.screenshot({ path: `${shots}/table.png` })

  await workbench.sections.getByRole('link', { name: 'Files' }).click()
  await page.getByText('Could not list the buckets').waitFor()
  if (shots !== undefined) await page.screenshot({ path: `${shots}/files.png` })
  await page.goto(`${harbour.url}/connections`)
  await page.getByText('Key rejected').waitFor()
  if (shots !== undefined) {
    await page.screenshot({ path: `${shots}/connections.png` })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.screenshot({ path: `${shots}/narrow.png` })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: `${shots}/narrow-dark.png` })
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  await banner.getByRole('button', { name: 'Enter another key' }).focus()
  await page.keyboard.press('Enter')
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Publishable key' })
  await expect.poll(() => field.evaluate(element => element === document.activeElement)).toBe(true)
  await page.keyboard.type('sb_secret_harbour_0123456789')
  await page.keyboard.press('Enter')
  await page.getByText(/This is a secret key/).waitFor()
  await field.fill('sb_publishable_wrong_1234567890')
  await page.keyboard.press('Enter')
  await page.getByText(/rejected this key/).waitFor()
  await field.fill(rotated)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await banner.waitFor({ state: 'detached' })
  await page.getByText('in use').waitFor()
  await workbench.sections.getByRole('link', { name: 'vessels' }).click()
  await page.getByRole('grid', { name: 'Rows of vessels' }).waitFor()
})
