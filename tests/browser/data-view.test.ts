// What the grid shows: the cursor's cell in full, times in the preferred zone, and notices that cover nothing.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

/** By how many pixels the cursor's cell is outside of its pane, and which of its corners something else covers. */
const cursorIn = (page: Page) =>
  page.getByRole('grid').evaluate(grid => {
    const cell = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')
    if (!cell) return { column: 'none', beyond: [], covered: [] }
    const [pane, box] = [grid.getBoundingClientRect(), cell.getBoundingClientRect()]
    const edges = {
      left: pane.left - box.left,
      right: box.right - (pane.left + grid.clientLeft + grid.clientWidth),
      bottom: box.bottom - (pane.top + grid.clientTop + grid.clientHeight),
    }
    const corners = [
      [box.left + 3, box.top + 3],
      [box.right - 3, box.top + 3],
      [box.left + 3, box.bottom - 3],
      [box.right - 3, box.bottom - 3],
    ] as const
    return {
      column: cell.getAttribute('data-column') ?? cell.getAttribute('data-head'),
      beyond: Object.entries(edges).flatMap(([edge, by]) => (by > 0.5 ? [`${edge} ${Math.round(by)}`] : [])),
      covered: corners.flatMap(([x, y]) => {
        const top = document.elementFromPoint(x, y)
        return top !== null && (top === cell || cell.contains(top)) ? [] : [`${x - box.left} ${y - box.top}`]
      }),
    }
  })

test('the cell with the cursor is in view in full, wherever the cursor goes and however large the window is', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  const grid = page.getByRole('grid')
  const expectInView = async (...keys: readonly string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      const { column, ...problems } = await cursorIn(page)
      expect([key, column, problems]).toEqual([
        key,
        expect.stringMatching(/^\d+$/),
        { beyond: [], covered: [] },
      ])
    }
  }
  const right = Array.from({ length: 7 }, () => 'ArrowRight')
  const left = Array.from({ length: 7 }, () => 'ArrowLeft')
  const walk = [
    ...right,
    ...left,
    'End',
    'PageDown',
    'Home',
    'PageUp',
    'Control+End',
    'Control+Home',
    'ArrowUp',
    ...right,
    'ArrowDown',
  ]
  // The last one is a window of 1,440 pixels at 200 %.
  for (const size of [
    { width: 1440, height: 900 },
    { width: 400, height: 844 },
    { width: 720, height: 450 },
  ]) {
    await page.setViewportSize(size)
    // The buttons of the row below the pointer cover cells, too.
    await page.mouse.move(size.width * 0.6, size.height * 0.5)
    await grid.focus()
    await expectInView('Control+Home', ...walk)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  const details = page.getByRole('complementary', { name: 'Row details' })
  await details.waitFor()
  await expect.poll(() => cursorIn(page)).toMatchObject({ beyond: [], covered: [] })
  await grid.focus()
  await expectInView(...left, ...right)
  // A pinned key that leaves no room for other columns scrolls with them.
  await details.getByRole('button', { name: 'Close details' }).click()
})

const atOf = (workbench: { readonly rows: Locator }) => workbench.rows.first().getByRole('gridcell').nth(3)

test('times with a zone are shown in the browser’s zone or in UTC, and edited without loss', async ({
  harbour,
  openWorkbench,
}) => {
  const workbench = await openWorkbench({ timezoneId: 'Asia/Kathmandu', locale: 'de-DE' })
  const { page } = workbench
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries?sort=id.desc')
  await workbench.liveMark.waitFor()
  const cell = atOf(workbench)
  expect(await cell.textContent()).toBe('2026-03-14 09:45:00+05:45')
  const head = page.getByRole('columnheader', { name: 'at', exact: true })
  expect(await head.getAttribute('title')).toContain('times in Asia/Kat')

  // Fractions of a second and the instant survive an edit of the minutes.
  const editor = page.getByRole('dialog', { name: 'Edit at' })
  const field = editor.getByRole('textbox', { name: 'at', exact: true })
  /** As the server wrote it, which copies contain. */
  const saved = async () => {
    await cell.click()
    await page.keyboard.press('ControlOrMeta+c')
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const write = async (text: string) => {
    await cell.dblclick()
    await field.fill(text)
    await field.press('Enter')
    await editor.waitFor({ state: 'detached' })
  }
  await write('2026-03-14 10:00:00.123456')
  await expect.poll(saved).toBe('2026-03-14T04:15:00.123456+00:00')
  await cell.dblclick()
  expect(await field.inputValue()).toBe('2026-03-14 10:00:00.123456+05:45')
  await field.press('Enter')
  await expect.poll(saved).toBe('2026-03-14T04:15:00.123456+00:00')

  const choose = async (name: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill(name)
    await page.keyboard.press('Enter')
  }
  await choose('Times in UTC')
  await expect.poll(() => cell.textContent()).toBe('2026-03-14 04:15:00.123456+00')
  await write('2026-03-14 04:00:00')
  await expect.poll(saved).toBe('2026-03-14T04:00:00+00:00')
  // It is a preference.
  await page.reload()
  await expect.poll(() => cell.textContent()).toBe('2026-03-14 04:00:00+00')
  await workbench.goTo('Account')
  const created = page.getByText(/^\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d$/).first()
  await created.waitFor()
})

/** Links, buttons and cells that a notice covers. */
const coveredBy = (notice: Locator) =>
  notice.evaluate(element => {
    const box = element.getBoundingClientRect()
    return [...document.querySelectorAll('nav a, main button, [role=gridcell], [data-tour-card] *')].flatMap(
      other => {
        if (element.contains(other)) return []
        const clip = other.closest('nav, [role=grid]')?.getBoundingClientRect()
        const { left, right, top, bottom } = other.getBoundingClientRect()
        const [from, to] = [Math.max(top, clip?.top ?? top), Math.min(bottom, clip?.bottom ?? bottom)]
        const isOver = left < box.right && right > box.left && from < box.bottom && to > box.top && to > from
        return isOver ? [other.textContent] : []
      },
    )
  })

test('a notice says what was saved of a paste, and covers nothing in windows of any size', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  const grid = page.getByRole('grid')
  await grid.focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  await page.evaluate(() => navigator.clipboard.writeText('1\nrough\n2'))
  await page.keyboard.press('ControlOrMeta+v')
  const notice = page.locator('[data-sonner-toast][data-removed=false]').first()
  await notice.getByText('Saved 2 of 3 rows').waitFor()
  await notice.getByText('1 row not saved: see “Unsaved changes”.').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  for (const { key, ...size } of [
    { key: 'Delete', width: 1440, height: 900 },
    { key: 'ControlOrMeta+z', width: 1440, height: 560 },
    { key: 'Delete', width: 400, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await grid.focus()
    await page.keyboard.press(key)
    await notice.getByText(key === 'Delete' ? /^Cleared/ : /^Undone/).waitFor()
    await expect.poll(() => coveredBy(notice)).toEqual([])
    await notice.hover()
    await page.getByRole('button', { name: 'Close toast' }).first().click()
    await notice.waitFor({ state: 'detached' })
  }
})

test('a filter does not move the rows, and the buttons at the top have names', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  const top = async () => (await page.getByRole('grid').boundingBox())?.y
  const before = await top()
  const search = page.getByRole('textbox', { name: 'Find in any column' })
  await search.fill('NE')
  await search.press('Enter')
  const chip = page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: /^Remove filter/ })
  await chip.waitFor()
  await page
    .getByText(/\d matching rows/)
    .first()
    .waitFor()
  expect(await top()).toBe(before)
  const bar = page.getByRole('banner')
  await bar.getByText('Console', { exact: true }).waitFor()
  await bar.getByText('Theme', { exact: true }).waitFor()
})
