// The place in the console: query, URL, log groups, and panel sizes.
import { describe, expect } from 'vitest'
import { axeComplaints, axeInThemes } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

describe('place', () => {
  test('a query is completed, negated by its chips, kept over a reload, and left by browser back', async ({
    harbour,
    workbench,
  }) => {
    await workbench.openAs(harbour.account('skipper'))
    const { page } = workbench
    const console = await workbench.openConsole()
    const field = console.getByRole('combobox', { name: 'Filter the log' })
    await field.fill('actor:sess')
    await console.getByRole('option', { name: 'actor:session', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('actor:session ')
    await page.keyboard.type('-noop')
    await page.keyboard.press('Enter')
    const terms = console.getByRole('toolbar', { name: 'Query terms' })
    await terms.getByRole('button', { name: /^not noop\./ }).focus()
    await page.keyboard.press('-')
    await expect.poll(() => field.inputValue()).toBe('actor:session noop')
    await terms.getByRole('button', { name: /^noop\./ }).focus()
    await page.keyboard.press('Delete')
    await expect.poll(() => field.inputValue()).toBe('actor:session')
    // The list may show its end.
    await console.getByRole('grid', { name: 'Event log' }).evaluate(log => log.scrollTo({ top: 0 }))
    await workbench.logRow('xstate.init').first().click()
    await expect.poll(() => page.url()).toMatch(/c\.at=\d+&c\.actor=client%2Fsession/)
    await page.reload()
    await console
      .getByText(/\(not (live|at end)\)/)
      .first()
      .waitFor()
    expect(await field.inputValue()).toBe('actor:session')
    const at = () => new URL(page.url()).searchParams.get('c.at')
    const first = at()
    await page.getByRole('grid', { name: 'Event log' }).getByText('stored.found').click()
    await expect.poll(at).not.toBe(first)
    await page.goBack()
    await expect.poll(at).toBe(first)
    await console.getByText(`event ${first} (not live)`).waitFor()
  })

  test('events of one cause are collapsed into a group; axe finds nothing, light and dark', async ({
    harbour,
    workbench,
  }) => {
    await workbench.openAs(harbour.account('skipper'))
    const { page } = workbench
    const console = await workbench.openConsole()
    await console.getByRole('combobox', { name: 'Filter the log' }).fill('actor:session dur>soon')
    await workbench.logRow('stored.found').first().click()
    await console.getByRole('toolbar', { name: 'Query terms' }).getByText('dur> needs a time').waitFor()
    await console.getByRole('button', { name: 'Group by cause' }).click()
    const log = console.getByRole('treegrid', { name: 'Event log' })
    const group = log.getByRole('row', { expanded: false, selected: true })
    await group.waitFor()
    await log.focus()
    await page.keyboard.press('ArrowRight')
    await log.getByRole('row', { expanded: true }).waitFor()
    expect(await axeInThemes(page, '[data-pane=log]')).toEqual([])
  })
})

describe('the past', () => {
  test('the app shows its past status until a press in the page, which acts as usual', async ({
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
    expect(await axeInThemes(page)).toEqual([])

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
  })

  test('a console in a separate window does the same', async ({ harbour, workbench }) => {
    await workbench.signInAs(harbour.account('skipper'))
    const { page } = workbench
    const console = await workbench.openConsole()
    const opening = page.waitForEvent('popup')
    await console.getByRole('button', { name: 'Open the console in a separate window' }).click()
    const window = await opening
    await window.getByRole('combobox', { name: 'Filter the log' }).fill('actor:session type:xstate.init')
    await window.keyboard.press('Enter')
    const log = window.getByRole('grid', { name: 'Event log' })
    await log.getByText('xstate.init').first().click()
    const line = page.getByRole('region', { name: 'Past moment' })
    await line.getByText('The bar shows the status of that moment; the page is live.').waitFor()
    await page.getByRole('button', { name: 'Backend and account' }).getByText('signed out').waitFor()
    await line.getByRole('button', { name: 'Back to now' }).click()
    await line.waitFor({ state: 'detached' })
    await window.getByText('Live', { exact: true }).first().waitFor()
    await window.close()
  })
})

describe('panels', () => {
  test('are resized by keyboard, and keep their size over a reload', async ({ harbour, openWorkbench }) => {
    const workbench = await openWorkbench({ viewport: { width: 1280, height: 1200 } })
    await workbench.openAs(harbour.account('skipper'))
    await workbench.openConsole()
    const size = async (name: string) =>
      Number(await workbench.console.getByRole('separator', { name }).getAttribute('aria-valuenow'))
    const before = await Promise.all([size('Height of the log'), size('Width of the actor tree')])
    await workbench.console.getByRole('separator', { name: 'Height of the log' }).focus()
    await workbench.page.keyboard.press('ArrowUp')
    await workbench.console.getByRole('separator', { name: 'Width of the actor tree' }).focus()
    await workbench.page.keyboard.press('ArrowRight')
    await expect.poll(() => size('Height of the log')).toBeLessThan(before[0])
    await expect.poll(() => size('Width of the actor tree')).toBeGreaterThan(before[1])
    const after = await Promise.all([size('Height of the log'), size('Width of the actor tree')])
    await workbench.page.reload()
    await workbench.logRow('xstate.init').first().waitFor()
    await expect.poll(() => size('Height of the log')).toBeCloseTo(after[0], 1)
    await expect.poll(() => size('Width of the actor tree')).toBeCloseTo(after[1], 1)

    // Sizes of other panels, as while panels appear or from an older version, are ignored.
    await workbench.page.evaluate(() => {
      for (const key of Object.keys(localStorage).filter(one => one.includes(':sizes:')))
        localStorage.setItem(key, JSON.stringify({ views: 50, log: 30, other: 20 }))
    })
    await workbench.page.reload()
    await workbench.logRow('xstate.init').first().waitFor()
    await expect.poll(() => size('Height of the log')).toBeCloseTo(before[0], 1)
  })

  test('leave room for the chart and the log at two sizes; maximize and drawers', async ({
    harbour,
    openWorkbench,
  }) => {
    const workbench = await openWorkbench({ viewport: { width: 1440, height: 900 } })
    await workbench.openAs(harbour.account('skipper'))
    const console = await workbench.openConsole()
    const { page } = workbench
    const log = console.getByRole('grid', { name: 'Event log' })
    const chart = console.getByRole('tabpanel', { name: 'Chart' }).locator('header + *')
    const heightOf = async (part: typeof log) => (await part.boundingBox())?.height ?? 0
    const rows = async () => Math.floor((await heightOf(log)) / 24) - 1
    await expect.poll(() => heightOf(chart)).toBeGreaterThanOrEqual(320)
    expect(await rows()).toBeGreaterThanOrEqual(12)
    const settled = workbench.logRow('request.settled').first().getByText('request.settled')
    expect(await settled.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false)

    // The actors open above the middle, from the first one on.
    await workbench.logRow('xstate.init').first().waitFor()
    await console.getByRole('button', { name: 'Actors', exact: true }).click()
    const tree = console.getByRole('treegrid', { name: 'Actors' })
    await tree.waitFor()
    expect(await tree.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
    expect(await axeComplaints(page, '[aria-label=Console]')).toEqual([])
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
  })

  test('are shown as tabs on a narrow screen', async ({ harbour, openWorkbench }) => {
    const workbench = await openWorkbench({ viewport: { width: 390, height: 844 } })
    await workbench.openAs(harbour.account('skipper'))
    const console = await workbench.openConsole()
    // The page with its heading is covered.
    await workbench.page.getByRole('heading', { name: 'Console', level: 1 }).waitFor()
    const views = console.getByRole('tablist', { name: 'Views' })
    await expect.poll(() => views.getByRole('tab').allInnerTexts()).toEqual(['Actors', 'Chart', 'Event'])
    await console.getByRole('row', { name: /^connection/ }).click()
    await views.getByRole('tab', { name: 'Chart' }).click()
    await console.getByRole('img', { name: /Statechart of connection/ }).waitFor()
    expect(await console.getByRole('treegrid', { name: 'Actors' }).count()).toBe(0)
    await workbench.logRow('xstate.init').first().click()
    await views.getByRole('tab', { name: 'Event' }).click()
    await console.getByRole('tab', { name: 'Diff' }).waitFor()
    expect(await workbench.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await console.getByRole('button', { name: 'Earlier recordings' }).click()
    const earlier = workbench.page.getByRole('dialog', { name: 'Earlier recordings' })
    await earlier.getByRole('listitem').first().waitFor()
  })
})
