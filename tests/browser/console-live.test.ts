// The console next to the running app: recording, control, past moments, its own window, and its place below
// the page.
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('records, pauses, stops at breakpoints, injects faults and branches', async ({ harbour, workbench }) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/account')
  await page.keyboard.press('Control+`')
  const { console } = workbench
  await console.waitFor()
  await page.keyboard.press('Control+`')
  await console.waitFor({ state: 'detached' })
  await workbench.openConsole()
  const bar = console.getByRole('group', { name: 'Control status' })
  const tab = (name: RegExp) => console.getByRole('tab', { name }).click()

  // The recording time keeps counting while nothing happens.
  const elapsed = console.getByText(/^\d+:\d\d$/)
  const first = await elapsed.innerText()
  await expect.poll(() => elapsed.innerText()).not.toBe(first)

  // Paused by key: app events wait, are stepped one by one, and continue after resume.
  await console.getByRole('button', { name: 'Pause the system' }).waitFor()
  await page.keyboard.press('p')
  await bar.getByText('Paused manually').waitFor()
  await workbench.sections.getByRole('link', { name: /^Files/ }).click()
  await bar.getByText(/1 event waiting/).waitFor()
  expect(await page.getByRole('link', { name: 'charts' }).count()).toBe(0)
  await console.focus()
  await page.keyboard.press('n')
  await bar.getByText('After one step').waitFor()
  await page.keyboard.press('p')
  await page.getByRole('link', { name: 'charts' }).first().waitFor()
  await bar.getByText('PAUSED', { exact: true }).waitFor({ state: 'detached' })

  // The paused clock is behind now. However little room there is, the button that corrects it is whole.
  await console.getByRole('button', { name: 'Previous event' }).click()
  await bar.getByText(/^Client clock .* behind/).waitFor()
  for (const width of [1250, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => bar.evaluate(it => it.scrollWidth - it.clientWidth)).toBe(0)
  }
  await console.getByRole('button', { name: /^Live/ }).click()

  // At the live end, playing pauses the view at this moment.
  await console.getByText('Live', { exact: true }).first().waitFor()
  await console.focus()
  await page.keyboard.press('Space')
  await console.getByText(/event \d+ \(not live\)/).waitFor()
  await page.keyboard.press('l')
  await console.getByText('Live', { exact: true }).first().waitFor()

  // The palette explains why a command is disabled.
  await console.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>step one event')
  const found = page.getByRole('listbox', { name: 'Results' })
  await found.getByRole('option', { name: /no events waiting/, disabled: true }).waitFor()
  await page.keyboard.press('Escape')

  // The selected tab stays visible as its pane becomes narrow, and no tab is cut off when it is not.
  await expect.poll(() => console.evaluate(section => section === document.activeElement)).toBe(true)
  await page.keyboard.press('8')
  const keep = console.getByRole('tab', { name: 'Export', selected: true })
  await keep.waitFor()
  await page.keyboard.press('i')
  await console.getByRole('tab', { name: 'Breakpoints' }).waitFor()
  await expect
    .poll(() =>
      keep.evaluate(it => {
        const [own, line] = [it, it.parentElement ?? it].map(part => part.getBoundingClientRect())
        return (own?.left ?? 0) >= (line?.left ?? 0) && (own?.right ?? 0) <= (line?.right ?? 0) + 1
      }),
    )
    .toBe(true)

  // A breakpoint on the client's event.
  await workbench.filterLog('request.start actor:client')
  await workbench.logRow('request.start').first().click()
  await page.keyboard.press('b')
  await tab(/^Breakpoints 1/)
  await console.getByText('client receives request.start').waitFor()
  await workbench.goTo('Account')
  await workbench.sections.getByRole('link', { name: /^Files/ }).click()
  await bar.getByText(/(Before|After) client receives request.start/).waitFor()
  await console.getByRole('checkbox', { name: /client receives request.start/ }).uncheck()
  await console.getByRole('button', { name: 'Resume the system' }).first().click()

  // A fault is shown while it is set; keys still work after its button is gone.
  await tab(/^Faults/)
  await console.getByRole('button', { name: 'Set: Offline' }).click()
  await bar.getByText('Offline').waitFor()
  await workbench.connection.getByText('offline').waitFor()
  const clear = bar.getByRole('button', { name: 'Clear: Offline' })
  await clear.press('Enter')
  await clear.waitFor({ state: 'detached' })
  await expect.poll(() => console.evaluate(it => it.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('7')
  await console.getByRole('tab', { name: 'Replay', selected: true }).waitFor()

  // The checks and the replay run in workers.
  await page.keyboard.press('5')
  await console.getByText('All checks pass').waitFor()

  // A sandbox from the past.
  await tab(/^Branch/)
  await workbench.logRow('request.start').first().click()
  await console.getByRole('button', { name: 'Branch from here' }).click()
  await page.getByRole('status', { name: 'Sandbox' }).getByText('request.start').waitFor()
  await page.getByRole('button', { name: 'Back to the live system' }).click()
  await console.getByRole('button', { name: 'Pause the system' }).waitFor()

  // A new recording is valid, too.
  await console.getByRole('button', { name: 'Stop recording' }).click()
  await console.getByRole('button', { name: 'New recording' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'New recording' }).click()
  await workbench.joinBridge()
  await workbench.present('skipper').waitFor()
  const lines = gunzipSync(await workbench.downloadRecording())
    .toString()
    .trim()
    .split('\n')
  expect(lines.filter(line => line.includes('"line":"keyframe"'))).toHaveLength(1)
})

test('the app shows its past status until a press in the page, also from a separate window', async ({
  harbour,
  workbench,
}) => {
  await workbench.signInAs(harbour.account('skipper'))
  const { page } = workbench
  const console = await workbench.openConsole()
  const account = page.getByRole('button', { name: 'Backend and account' })
  await account.getByText('skipper@harbour.test').waitFor()
  // Only this one: a long list would show its end, where the session has begun.
  await console.getByRole('combobox', { name: 'Filter the log' }).fill('actor:session type:xstate.init')
  await page.keyboard.press('Enter')
  const line = page.getByRole('region', { name: 'Past moment' })
  const box = () => console.boundingBox()
  const before = await box()
  await workbench.logRow('xstate.init').first().click()
  await line.getByText('The bar shows the status of that moment; the page is live.').waitFor()
  await account.getByText('signed out').waitFor()
  await page.getByRole('status', { name: 'Realtime: off' }).waitFor()
  expect(await box()).toEqual(before)

  // A press in the page acts as usual.
  await workbench.sections.getByRole('link', { name: /^Files/ }).click()
  await page.waitForURL(url => url.pathname.startsWith('/files'))
  await line.getByText('Only the console shows this moment; the app is live.').waitFor()
  await account.getByText('skipper@harbour.test').waitFor()
  await console.getByText('(not live)').waitFor()

  await console.focus()
  await page.keyboard.press('j')
  await line.getByText('The bar shows the status of that moment; the page is live.').waitFor()
  await line.getByRole('button', { name: 'Back to now' }).click()
  await line.waitFor({ state: 'detached' })
  await console.getByText('Live', { exact: true }).first().waitFor()
  await account.getByText('skipper@harbour.test').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('page')

  // A console in a separate window does the same.
  const opening = page.waitForEvent('popup')
  await console.getByRole('button', { name: 'Open the console in a separate window' }).click()
  const window = await opening
  await window.getByRole('combobox', { name: 'Filter the log' }).fill('actor:session type:xstate.init')
  await window.keyboard.press('Enter')
  await window.getByRole('treegrid', { name: 'Event log' }).getByText('xstate.init').first().click()
  await line.getByText('The bar shows the status of that moment; the page is live.').waitFor()
  await account.getByText('signed out').waitFor()
  await line.getByRole('button', { name: 'Back to now' }).click()
  await line.waitFor({ state: 'detached' })
  await window.getByText('Live', { exact: true }).first().waitFor()
  await window.close()
})

test('below the page there is room for the chart and the log; maximized, and on a phone', async ({
  harbour,
  openWorkbench,
}) => {
  const workbench = await openWorkbench({ viewport: { width: 1440, height: 900 } })
  await workbench.openAs(harbour.account('skipper'))
  const console = await workbench.openConsole()
  const { page } = workbench
  const log = console.getByRole('treegrid', { name: 'Event log' })
  const chart = console.getByRole('tabpanel', { name: 'Chart' }).locator('header + *')
  const heightOf = async (part: typeof log) => (await part.boundingBox())?.height ?? 0
  const rows = async () => Math.floor((await heightOf(log)) / 24) - 1
  await workbench.dismissLegend()
  await expect.poll(() => heightOf(chart)).toBeGreaterThanOrEqual(320)
  expect(await rows()).toBeGreaterThanOrEqual(12)
  const settled = workbench.logRow('request.settled').first().getByText('request.settled')
  expect(await settled.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false)

  // The actors open above the middle, from the first one on.
  await workbench.logRow('request.start').first().waitFor()
  await console.getByRole('button', { name: 'Actors', exact: true }).click()
  const tree = console.getByRole('treegrid', { name: 'Actors' })
  await tree.waitFor()
  expect(await tree.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  await page.keyboard.press('Escape')
  await tree.waitFor({ state: 'detached' })

  const docked = await heightOf(console)
  await log.focus()
  await page.keyboard.press('Shift+Z')
  await expect.poll(() => heightOf(console)).toBeGreaterThan(docked + 300)
  await log.focus()
  await page.keyboard.press('Shift+Z')
  await expect.poll(() => heightOf(console)).toBe(docked)

  await page.setViewportSize({ width: 1024, height: 768 })
  await page.reload()
  await expect.poll(() => heightOf(chart)).toBeGreaterThanOrEqual(220)
  expect(await rows()).toBeGreaterThanOrEqual(8)
  // Each tab can be selected; that none is cut off is in the table of states.
  const last = console.getByRole('tablist', { name: 'Middle' }).getByRole('tab').last()
  await last.click()
  await expect.poll(() => last.getAttribute('aria-selected')).toBe('true')

  // On a phone it covers the page with its heading.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('heading', { name: 'Console', level: 1 }).waitFor()
  await console.getByRole('tablist', { name: 'Views' }).waitFor()
  await console.getByRole('button', { name: 'Earlier recordings' }).click()
  const earlier = page.getByRole('dialog', { name: 'Earlier recordings' })
  await earlier.getByRole('listitem').first().waitFor()
  await page.keyboard.press('Escape')

  // Restored, a message can be written above it.
  await workbench.restoreConsole()
  await page.evaluate(() => history.pushState({}, '', '/realtime/bridge'))
  await workbench.present('skipper').waitFor()
  const send = page.getByRole('button', { name: 'Send' })
  await page.getByRole('textbox', { name: 'Message' }).fill('Little room on board')
  await send.scrollIntoViewIfNeeded()
  const [below, sections] = [await send.boundingBox(), await workbench.sections.boundingBox()]
  expect((below?.y ?? 0) + (below?.height ?? 0)).toBeLessThanOrEqual(sections?.y ?? 0)
  await send.click()
  await workbench.message('Little room on board').waitFor()
})

test('the moment in the URL is dropped with the client whose recording it is of', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/account')
  const console = await workbench.openConsole()
  const param = (name: string) => new URL(page.url()).searchParams.get(name)
  await console.getByRole('button', { name: 'Previous event' }).click()
  await console.focus()
  await page.keyboard.press('m')
  await expect.poll(() => param('c.at')).toMatch(/^\d+$/)
  await expect.poll(() => param('c.a')).toMatch(/^\d+$/)
  await console.getByRole('tab', { name: 'Timeline' }).click()
  await expect.poll(() => param('c.view')).toBe('timeline')

  // The client of another account; how its recording is shown stays.
  await page.getByRole('button', { name: /^Backend and account/ }).click()
  await page.getByRole('menu', { name: 'Backends and accounts' }).waitFor()
  await page.keyboard.type('Sign in')
  await page.keyboard.press('Enter')
  await workbench.signInForm.waitFor()
  await console.getByText('Live', { exact: true }).first().waitFor()
  expect([param('c.at'), param('c.a'), param('c.view')]).toEqual([null, null, 'timeline'])
  expect(await console.getByText(/^There is no event/).count()).toBe(0)
})
