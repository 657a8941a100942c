// Little space: large text, a phone, and the console open below. Nothing overlaps, everything can be reached.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

/** A laptop at 200 %, and a phone. */
const SIZES = [
  { width: 720, height: 450 },
  { width: 390, height: 844 },
] as const

const PAGES = [
  '/data/log_entries',
  '/files/charts',
  '/functions',
  '/rpc/passages',
  '/realtime/bridge',
  '/account',
  '/connections',
]

/** The visible controls of a selector, the text of those that something covers, and how far the app can be scrolled. */
const covered = (page: Page, selector: string) =>
  page.evaluate(controls => {
    const shown = [...document.querySelectorAll(controls)].filter(
      control => control.getClientRects().length > 0,
    )
    const under = shown.filter(control => {
      const { x, y, width, height, right } = control.getBoundingClientRect()
      const center = document.elementFromPoint(x + width / 2, y + height / 2)
      return right > innerWidth || !control.contains(center)
    })
    const { scrollHeight, clientHeight } = document.documentElement
    return {
      shown: shown.length,
      under: under.map(control => control.getAttribute('aria-label') ?? control.textContent),
      beyond: scrollHeight - clientHeight,
    }
  }, selector)

test.for(PAGES)(
  'with the console open, nothing of a page covers the sections: %s',
  async (path, { harbour, workbench }) => {
    const { page } = workbench
    await page.setViewportSize(SIZES[0])
    await workbench.openAs(harbour.account('skipper'), path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+`')
    await workbench.showActors()
    await workbench.console.getByRole('row', { name: /^session, authenticated/ }).waitFor()
    for (const size of SIZES) {
      await page.setViewportSize(size)
      if (size.width < 640) await workbench.restoreConsole()
      await expect
        .poll(() => covered(page, 'nav[aria-label="Sections"] a'))
        .toEqual({ shown: 5, under: [], beyond: 0 })
    }
  },
)

test('a notice covers neither the bar of selected rows, nor the tour, nor the sections', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  const cell = page.getByRole('gridcell', { name: /^[NESW]{1,3} \d/ }).first()
  await cell.click()
  await page.keyboard.press('Delete')
  const notice = page.getByText(/^Cleared /)
  await notice.waitFor()
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
  const controls =
    '[aria-label="Selected rows"] button, [data-tour-card] button, nav[aria-label="Sections"] a'
  const wide = { width: 1280, height: 720 }
  const narrow = { width: 660, height: 800 }
  for (const [size, shown] of [
    [wide, 17],
    [narrow, 11],
    [SIZES[1], 11],
  ] as const) {
    await page.setViewportSize(size)
    await expect
      .poll(async () => ({ ...(await covered(page, controls)), hasNotice: await notice.isVisible() }))
      .toEqual({ shown, under: [], beyond: 0, hasNotice: true })
  }
})

test.for([390, 320])(
  'a toolbar of %i pixels, at a past event and with a paused clock, shows each of its buttons',
  async (width, { harbour, workbench }) => {
    const { page, console } = workbench
    await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
    await workbench.openConsole()
    await console.getByRole('button', { name: 'Pause the system' }).waitFor()
    for (const key of ['p', 'p']) await page.keyboard.press(key)
    await console.getByRole('button', { name: 'Previous event' }).click()
    await page.setViewportSize({ width, height: 844 })
    await expect
      .poll(async () => (await covered(page, '[role=toolbar][aria-label=Console] button')).under)
      .toEqual([])
  },
)

test('with the console open, a message can be written on a phone', async ({ harbour, workbench }) => {
  const { page } = workbench
  await page.setViewportSize(SIZES[1])
  await workbench.openAs(harbour.account('skipper'), '/realtime/bridge')
  await workbench.present('skipper').waitFor()
  await page.keyboard.press('Control+`')
  await workbench.showActors()
  await workbench.console.getByRole('row', { name: /^session, authenticated/ }).waitFor()
  await workbench.restoreConsole()
  const send = page.getByRole('button', { name: 'Send' })
  await page.getByRole('textbox', { name: 'Message' }).fill('Little room on board')
  await send.scrollIntoViewIfNeeded()
  const [below, sections] = [await send.boundingBox(), await workbench.sections.boundingBox()]
  expect((below?.y ?? 0) + (below?.height ?? 0)).toBeLessThanOrEqual(sections?.y ?? 0)
  await send.click()
  await workbench.message('Little room on board').waitFor()
})

test('a long text that is edited in its cell covers no other cell', async ({ harbour, workbench }) => {
  const { page } = workbench
  await page.setViewportSize({ width: 1440, height: 900 })
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Kept well clear' }).first()
  const note = row.getByRole('gridcell').filter({ hasText: 'Kept well clear' })
  const beside = row.getByRole('gridcell', { name: 'null' }).first()
  await note.dblclick()
  await page.getByRole('textbox', { name: 'note' }).waitFor()
  const isOnTop = beside.evaluate(cell => {
    const { x, y, height } = cell.getBoundingClientRect()
    return cell.contains(document.elementFromPoint(x + 6, y + height / 2))
  })
  expect(await isOnTop).toBe(true)
})

test('no tab of the docked console is cut off, and each can be selected', async ({ harbour, workbench }) => {
  const { page } = workbench
  await page.setViewportSize({ width: 1440, height: 900 })
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await page.keyboard.press('Control+`')
  const all = workbench.console.getByRole('tablist', { name: 'Middle' }).getByRole('tab')
  await all.first().waitFor()
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(size)
    const cut = () =>
      all.evaluateAll(ones =>
        ones
          .filter(one => {
            const { left, right } = one.getBoundingClientRect()
            const line = one.parentElement?.getBoundingClientRect()
            return right > (line?.right ?? 0) + 0.5 || left < (line?.left ?? 0) - 0.5
          })
          .map(one => one.textContent),
      )
    await expect.poll(cut).toEqual([])
    await all.last().click()
    await expect.poll(() => all.last().getAttribute('aria-selected')).toBe('true')
  }
})
