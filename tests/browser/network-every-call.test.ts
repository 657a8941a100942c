// The network view lists every call of the client: compared with the requests that the browser itself reports.
import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

interface SentCall {
  readonly name: string
  /** Undefined until the response. */
  status?: number
}

/** Calls to the backend in the order of the browser's events. */
function browserCalls(page: Page, origin: string): readonly SentCall[] {
  const calls: SentCall[] = []
  const byRequest = new Map<Request, SentCall>()
  const nameOf = (method: string, url: string) => `${method} ${new URL(url).pathname}`
  page.on('request', request => {
    const [method, url] = [request.method(), request.url()]
    if (!url.startsWith(origin) || !new URL(url).pathname.includes('/v1/')) return
    const call = { name: nameOf(method, url) }
    calls.push(call)
    byRequest.set(request, call)
  })
  page.on('response', response => {
    const call = byRequest.get(response.request())
    if (call) call.status = response.status()
  })
  page.on('websocket', socket => {
    calls.push({ name: nameOf('WS', socket.url().replace(/^ws/, 'http')), status: 101 })
  })
  return calls
}

const textOf = ({ name, status }: SentCall): string => `${name} ${status ?? ''}`

/** Without their statuses. */
const namesOf = (calls: readonly string[]): string[] =>
  calls.map(call => call.split(' ').slice(0, 2).join(' ')).toSorted()

/** What the rows of the list say, in the same form. */
async function listedCalls(page: Page): Promise<string[]> {
  const rows = page
    .getByRole('region', { name: 'Console' })
    .getByRole('grid', { name: 'Network' })
    .locator('[data-seq]')
  const cells = await rows.evaluateAll(found =>
    found.map(row => [
      row.children[0]?.textContent ?? '',
      row.children[1]?.getAttribute('title') ?? '',
      row.children[2]?.textContent ?? '',
      row.children[3]?.textContent ?? '',
    ]),
  )
  return cells.flatMap(([method = '', path = '', status = '', tries = '']) => {
    // The client may close a socket before it is created, and abort a request before it is sent.
    if (method === 'WS' && status.trim() === 'not opened') return []
    return Array<string>(Number(tries)).fill(`${method} ${path.split('?', 1)[0]} ${status.split(' ', 1)[0]}`)
  })
}

test('every call is listed, with links to who asked for it and back', async ({ harbour, openWorkbench }) => {
  const workbench = await openWorkbench({ viewport: { width: 1440, height: 1000 } })
  const { page } = workbench
  const calls = browserCalls(page, harbour.url)
  await workbench.openAs(harbour.account('skipper'), '/account')
  const console = await workbench.openConsole()
  // Calls are only in the page if there is room for them.
  await workbench.dismissLegend()
  await console.getByRole('tab', { name: 'Network' }).click()
  const { email, password } = harbour.account('skipper')
  await page.getByRole('button', { name: 'Refresh now' }).click()
  await expect.poll(() => calls.filter(({ name }) => name.includes('/auth/v1/token')).length).toBe(1)
  await page.getByRole('button', { name: 'Refresh now' }).click()
  await expect.poll(() => calls.filter(({ name }) => name.includes('/auth/v1/token')).length).toBe(2)
  await workbench.goTo('Files')
  await page.getByRole('link', { name: 'charts' }).first().waitFor()
  await workbench.goTo('Data')
  await page.getByRole('link', { name: 'vessels' }).first().click()
  await workbench.row('Kittiwake').waitFor()
  await workbench.joinBridge()
  await workbench.connection.getByText('connected').waitFor()

  // Two refreshes: they were missing.
  const find = console.getByRole('textbox', { name: 'Find calls' })
  const network = console.getByRole('grid', { name: 'Network' })
  await find.fill('token')
  await expect.poll(() => network.locator('[data-seq]').count()).toBe(2)
  await find.fill('')

  // Calls of the page itself (settings of the sign-in page, the health of the backend) are not the client's.
  const isClients = (call: string) => !/\/(?:settings|health) /.test(call)
  const isSame = async () => {
    const listed = (await listedCalls(page)).filter(isClients)
    const sent = calls.map(textOf).filter(isClients)
    // A request that the app aborted has no status, even if the browser already had the response.
    const missing = listed.filter(call => /\d$/.test(call) && !sent.includes(call))
    return { names: namesOf(listed), missing, sent: namesOf(sent) }
  }
  const expectSame = async () => {
    const difference = async () => {
      const { names, missing, sent } = await isSame()
      return [names.filter(name => !sent.includes(name)), missing, names.length - sent.length]
    }
    await expect.poll(difference).toEqual([[], [], 0])
  }
  await expectSame()
  expect(calls.some(({ name }) => name.startsWith('WS '))).toBe(true)
  const facts = console.getByText(
    new RegExp(
      `^${String(await console.getByRole('grid', { name: 'Network' }).locator('[data-seq]').count())} calls`,
    ),
  )
  await facts.first().waitFor()

  // By service.
  await console.getByRole('radiogroup', { name: 'Service' }).getByRole('radio', { name: /^Auth/ }).click()
  expect((await listedCalls(page)).every(call => call.includes('/auth/v1/'))).toBe(true)
  await console.getByRole('radio', { name: 'Every service' }).click()

  // Enter leads into the details, a link to the step, and Backspace back to the call.
  await network.locator('[data-seq]').filter({ hasText: 'refresh_token' }).first().click()
  const details = console.getByRole('region', { name: 'Selected request' })
  const asked = details.getByRole('region', { name: 'Asked by' })
  await asked.getByText('the app, which asked for a new token').waitFor()
  await network.focus()
  await page.keyboard.press('Enter')
  expect(await asked.evaluate(it => it.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Enter')
  const log = console.getByRole('treegrid', { name: 'Event log' })
  await log.locator('[aria-selected=true]').getByText('refresh.request').waitFor()
  await details.getByRole('heading', { name: /token/ }).waitFor()
  await page.keyboard.press('Backspace')
  await expect.poll(() => network.evaluate(it => it === document.activeElement)).toBe(true)
  await network.locator('[aria-selected=true]').filter({ hasText: 'refresh_token' }).waitFor()

  // From a step that follows from a response to the call, and back.
  await details.getByRole('region', { name: 'Led to' }).getByText('token.rotated').first().click()
  await console.getByRole('tab', { name: 'Chart' }).click()
  await log.focus()
  await page.keyboard.press('r')
  await console.getByRole('tab', { name: 'Network', selected: true }).waitFor()
  await network.locator('[aria-selected=true]').filter({ hasText: 'refresh_token' }).waitFor()
  await network.focus()
  await page.keyboard.press('Backspace')
  await console.getByRole('tab', { name: 'Chart', selected: true }).waitFor()
  await log.locator('[aria-selected=true]').getByText('token.rotated').waitFor()

  // A sign-in and a sign-out.
  await console.getByRole('tab', { name: 'Network' }).click()
  await workbench.goTo('Account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await workbench.submitSignIn({ email, password })
  await workbench.sections.waitFor()
  await expect
    .poll(() => listedCalls(page).then(list => list.filter(call => /logout|token/.test(call)).length))
    .toBe(4)
  await expectSame()
  const shown = await console.innerText()
  expect(shown).not.toContain(password)
})
