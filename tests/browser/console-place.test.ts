// The place in the console: query, URL, log groups, and panel sizes.
import { describe, expect } from 'vitest'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer } from '../harness/viewer-page.ts'

const test = withViewer

describe('place', () => {
  test('a query is completed, negated by its chips, kept over a reload, and left by browser back', async ({
    viewer,
  }) => {
    const { page, console } = viewer
    await viewer.open(atWork())
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
    await console.getByRole('treegrid', { name: 'Event log' }).evaluate(log => log.scrollTo({ top: 0 }))
    await viewer.logRow('xstate.init').first().click()
    await expect.poll(() => page.url()).toMatch(/at=\d+&actor=client%2Fsession/)
    await page.reload()
    await console.getByText(/\(not at end\)/).waitFor()
    expect(await field.inputValue()).toBe('actor:session')
    const at = () => viewer.param('at')
    const first = at()
    await page.getByRole('treegrid', { name: 'Event log' }).getByText('stored.found').click()
    await expect.poll(at).not.toBe(first)
    await page.goBack()
    await expect.poll(at).toBe(first)
    await console.getByText(new RegExp(`^event ${first} of \\d+ \\(not at end\\)$`)).waitFor()
  })

  test('events of one cause are collapsed into a group', async ({ viewer }) => {
    const { page, console } = viewer
    await viewer.open(atWork())
    await console.getByRole('combobox', { name: 'Filter the log' }).fill('actor:session dur>soon')
    await viewer.logRow('stored.found').first().click()
    await console.getByRole('toolbar', { name: 'Query terms' }).getByText('dur> needs a time').waitFor()
    await console.getByRole('button', { name: 'Group by cause' }).click()
    const log = console.getByRole('treegrid', { name: 'Event log' })
    const group = log.getByRole('row', { expanded: false, selected: true })
    await group.waitFor()
    await log.focus()
    await page.keyboard.press('ArrowRight')
    await log.getByRole('row', { expanded: true }).waitFor()
  })
})

describe('panels', () => {
  test('are resized by keyboard, and keep their size over a reload', async ({ viewer }) => {
    const { page, console } = viewer
    await viewer.open(atWork(), { viewport: { width: 1280, height: 1000 } })
    const size = async (name: string) =>
      Number(await console.getByRole('separator', { name }).getAttribute('aria-valuenow'))
    const before = await Promise.all([size('Height of the log'), size('Width of the actor tree')])
    await console.getByRole('separator', { name: 'Height of the log' }).focus()
    await page.keyboard.press('ArrowUp')
    await console.getByRole('separator', { name: 'Width of the actor tree' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => size('Height of the log')).toBeLessThan(before[0])
    await expect.poll(() => size('Width of the actor tree')).toBeGreaterThan(before[1])
    const after = await Promise.all([size('Height of the log'), size('Width of the actor tree')])
    await page.reload()
    await viewer.logRow('request.settled').first().waitFor()
    await expect.poll(() => size('Height of the log')).toBeCloseTo(after[0], 1)
    await expect.poll(() => size('Width of the actor tree')).toBeCloseTo(after[1], 1)

    // Sizes of other panels, as while panels appear or from an older version, are ignored.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage).filter(one => one.includes(':sizes:')))
        localStorage.setItem(key, JSON.stringify({ views: 50, log: 30, other: 20 }))
    })
    await page.reload()
    await viewer.logRow('request.settled').first().waitFor()
    await expect.poll(() => size('Height of the log')).toBeCloseTo(before[0], 1)
  })

  test('are shown as tabs on a narrow screen', async ({ viewer }) => {
    const { page, console } = viewer
    await viewer.open(atWork(), { viewport: { width: 390, height: 844 } })
    const views = console.getByRole('tablist', { name: 'Views' })
    await expect.poll(() => views.getByRole('tab').allInnerTexts()).toEqual(['Actors', 'Chart', 'Event'])
    await console.getByRole('row', { name: /^connection/ }).click()
    await views.getByRole('tab', { name: 'Chart' }).click()
    await console.getByRole('img', { name: /Statechart of connection/ }).waitFor()
    expect(await console.getByRole('treegrid', { name: 'Actors' }).count()).toBe(0)
    await viewer.logRow('request.settled').first().click()
    await views.getByRole('tab', { name: 'Event' }).click()
    await console.getByRole('tab', { name: 'Diff' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
