// States of a table: its rows, edits, conflicts, selections, and every tool of its toolbar.
import { cell, DIALOG, enter, escape, FEW, keys, MAIN, MENU, openTable, press, visit } from './page.ts'
import { covered } from './fits.ts'
import { SIZES, type Act } from './state.ts'

export const table: Act = (page, product) => {
  const grid = page.getByRole('grid').first()
  const notSaved = page.getByRole('region', { name: 'Unsaved changes' })
  const dialog = page.getByRole('dialog')
  const nth = (...presses: readonly string[]) => keys(page, 'Control+Home', ...presses)
  return [
    {
      name: 'first-page',
      part: '[data-tour-card]',
      reach: async () => {
        await product.signIn(page, product.skipper)
        await grid.getByRole('row').nth(3).waitFor()
      },
      leave: () => press(page, 'Not now'),
    },
    { name: 'rows', reach: () => openTable(page, 'log_entries') },
    {
      name: 'long-text',
      inTests: 'fit',
      part: MAIN,
      sizes: ['wide'],
      reach: async () => {
        const row = page.getByRole('row').filter({ hasText: 'Kept well clear' }).first()
        await row.getByRole('gridcell').filter({ hasText: 'Kept well clear' }).dblclick()
        await page.getByRole('textbox', { name: 'note' }).waitFor()
      },
      // The text that is edited covers no other cell.
      fits: {
        sizes: [SIZES.wide],
        problems: async () => {
          const row = page.getByRole('row').filter({ has: page.getByRole('textbox', { name: 'note' }) })
          return row
            .getByRole('gridcell', { name: 'null' })
            .first()
            .evaluate(beside => {
              const { x, y, height } = beside.getBoundingClientRect()
              return beside.contains(document.elementFromPoint(x + 6, y + height / 2)) ? [] : ['extra']
            })
        },
      },
      leave: async () => {
        await keys(page, 'Escape')
        await openTable(page, 'log_entries', FEW)
      },
    },
    {
      name: 'filter-form',
      inTests: 'pass',
      part: DIALOG,
      reach: async () => {
        await press(page, /^Filter$/)
        await page.getByRole('form', { name: 'Filter' }).waitFor()
      },
    },
    {
      name: 'filter-with-or',
      part: DIALOG,
      reach: async () => {
        await page.getByRole('form', { name: 'Filter' }).getByLabel('Value').fill('39')
        await page.getByRole('form', { name: 'Filter' }).getByRole('button', { name: 'Or…' }).click()
      },
      leave: escape(page),
    },
    {
      name: 'filtered',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await openTable(page, 'log_entries')
        await press(page, /^Filter$/)
        await page.getByRole('form', { name: 'Filter' }).getByLabel('Value').fill('39')
        await keys(page, 'Enter')
        await page.getByText('1 matching row').waitFor()
      },
    },
    {
      name: 'no-match',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await visit(page, `/data/log_entries?filter=${encodeURIComponent('["id=eq.0"]')}`)
        await page
          .getByText(/^No rows match/)
          .first()
          .waitFor()
      },
    },
    {
      name: 'not-found',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await visit(page, '/data/vesels')
        await page.getByText('Table "vesels" not found').waitFor()
      },
    },
    {
      name: 'labels',
      part: MAIN,
      reach: async () => {
        await visit(page, '/data/voyages')
        const label = grid.getByRole('gridcell').filter({ hasText: /^\d+ \S/ })
        await label.first().waitFor()
      },
    },
    {
      name: 'row-panel',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await openTable(page, 'log_entries')
        await grid.focus()
        await keys(page, 'ArrowDown', 'Space')
        await page.getByRole('complementary', { name: 'Row details' }).waitFor()
      },
      leave: () => press(page, 'Close details'),
    },
    {
      name: 'column-menu',
      inTests: 'skip',
      part: MENU,
      reach: async () => {
        await grid.focus()
        await nth('ArrowRight', 'ArrowRight', 'Alt+ArrowDown')
        await page.getByRole('menu').waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'cell-menu',
      inTests: 'skip',
      part: MENU,
      reach: async () => {
        await cell(page, 'W 3').click({ button: 'right' })
        await page.getByRole('menu').waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'new-row',
      part: DIALOG,
      reach: async () => {
        await openTable(page, 'log_entries', FEW)
        await press(page, /^New row$/)
        await dialog.getByLabel(/^sea_state/).fill('rough')
        await dialog.getByRole('button', { name: 'Add row' }).click()
        await dialog.getByText('This must be a whole number.').first().waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'inline-row',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await press(page, 'Add row inline')
        await page.getByRole('button', { name: 'Add this row' }).waitFor()
      },
      leave: () => keys(page, 'Escape'),
    },
    {
      name: 'foreign-key',
      inTests: 'skip',
      part: DIALOG,
      reach: async () => {
        await openTable(page, 'log_entries')
        await grid.focus()
        await nth('ArrowRight', 'Enter')
        await page.getByRole('option').first().waitFor()
      },
      leave: () => keys(page, 'Escape'),
    },
    {
      name: 'time-editor',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await keys(page, 'ArrowRight', 'Enter')
        await page.getByRole('textbox', { name: 'at', exact: true }).waitFor()
      },
      leave: () => keys(page, 'Escape'),
    },
    {
      name: 'refused-edit',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await grid.focus()
        await nth('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
        await page.keyboard.type('12')
        await keys(page, 'Enter')
        await notSaved.getByText('log_entries_sea_state_check').waitFor()
      },
      leave: async () => {
        await notSaved.getByRole('button', { name: 'Discard' }).first().click()
        await notSaved.waitFor({ state: 'detached' })
      },
    },
    {
      name: 'conflict',
      part: MAIN,
      reach: async () => {
        await openTable(page, 'log_entries', FEW)
        const request = await product.requestsAs(product.skipper)
        await grid.focus()
        await nth('ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'F2')
        await page.getByRole('textbox', { name: 'wind' }).waitFor()
        await request('PATCH', '/rest/v1/log_entries?id=eq.39', { wind: 'THEIRS' })
        await page.getByRole('row').filter({ hasText: 'THEIRS' }).first().waitFor()
        await keys(page, 'Control+a')
        await page.keyboard.type('MINE')
        await keys(page, 'Enter')
        await notSaved.getByText('this cell changed since you loaded it').waitFor()
      },
    },
    {
      name: 'selection',
      part: MAIN,
      reach: async () => {
        await notSaved.getByRole('button', { name: 'Use their value' }).click()
        await notSaved.waitFor({ state: 'detached' })
        await grid.focus()
        await nth('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
        await keys(page, 'Shift+ArrowDown', 'Shift+ArrowDown')
        await page.getByLabel('Numbers in sea_state').waitFor()
      },
    },
    {
      name: 'cleared-cells',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await keys(page, 'Delete')
        await page.getByText(/^Cleared 3 cells/).waitFor()
      },
      leave: () => keys(page, 'Control+z'),
    },
    // The deletion is only pending for some seconds.
    {
      name: 'deleting-rows',
      inTests: 'skip',
      sizes: ['wide'],
      themes: ['light'],
      reach: async () => {
        await nth('Shift+Space', 'Control+Delete')
        await page
          .getByText(/^Deleting /)
          .first()
          .waitFor()
      },
    },
  ]
}

/** A notice at the bottom of the page, above everything else. */
export const notice: Act = (page, product) => {
  const text = page.getByText(/^Cleared /)
  const controls =
    '[aria-label="Selected rows"] button, [data-tour-card] button, nav[aria-label="Sections"] a'
  return [
    {
      name: 'over-selected-rows',
      inTests: 'fit',
      part: '[data-sonner-toaster]',
      sizes: ['wide'],
      reach: async () => {
        await product.signIn(page, product.skipper, '/data/log_entries')
        await page
          .getByRole('gridcell', { name: /^[NESW]{1,3} \d/ })
          .first()
          .click()
        await page.keyboard.press('Delete')
        await text.waitFor()
        await page.keyboard.press('Shift+ArrowDown')
        await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
      },
      // The bar of selected rows, the tour, and the sections stay free.
      fits: {
        sizes: [{ width: 1280, height: 720 }, { width: 660, height: 800 }, SIZES.phone],
        problems: async () => {
          const { shown, under, beyond } = await covered(page, controls)
          const least = (page.viewportSize()?.width ?? 0) > 700 ? 19 : 12
          return [
            ...under,
            ...(shown === least ? [] : [`${shown} of ${least} controls`]),
            ...(beyond === 0 ? [] : [`${beyond} px below the window`]),
            ...((await text.isVisible()) ? [] : ['no notice']),
          ]
        },
      },
    },
  ]
}

const PROBLEMS = 'voyage,wind,sea state,note\n1,SW 5,3,fine\n1,NW 2,rough,never\n1,N 9,12,too high\n'

export const tools: Act = (page, product) => {
  const dialog = page.getByRole('dialog')
  return [
    {
      name: 'import',
      inTests: 'pass',
      part: DIALOG,
      reach: async () => {
        await enter(page, product, product.skipper, `/data/log_entries${FEW}`)
        await openTable(page, 'log_entries', FEW)
        await press(page, /^Import$/)
        await dialog.getByLabel('Or paste rows').waitFor()
      },
    },
    {
      name: 'import-problems',
      part: DIALOG,
      reach: async () => {
        await dialog.getByLabel('Or paste rows').fill(PROBLEMS)
        await dialog.getByRole('button', { name: 'Read pasted rows' }).click()
        await dialog.getByText('1 row can’t be imported').waitFor()
      },
    },
    {
      name: 'import-result',
      inTests: 'pass',
      part: DIALOG,
      reach: async () => {
        await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
        await dialog.getByText('1 written · 1 failed · 1 skipped (invalid)').waitFor()
      },
    },
    {
      name: 'import-of-all',
      part: DIALOG,
      reach: async () => {
        await dialog.getByRole('button', { name: 'Import another file' }).click()
        await dialog.getByLabel('Or paste rows').fill('note\none\ntwo\n')
        await dialog.getByRole('button', { name: 'Read pasted rows' }).click()
        await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
        await dialog.getByText('All 2 rows imported').waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'structure',
      part: DIALOG,
      reach: async () => {
        await press(page, /^Structure$/)
        await dialog.getByRole('row').nth(3).waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'export',
      part: DIALOG,
      reach: async () => {
        await press(page, /^Export$/)
        await dialog.getByRole('radio').first().waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'saved-queries',
      part: DIALOG,
      reach: async () => {
        await press(page, /^Saved queries$/)
        await dialog.getByRole('textbox').fill('All entries')
        await keys(page, 'Enter')
        await dialog.getByRole('button', { name: 'All entries', exact: true }).waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'copy-as',
      inTests: 'skip',
      part: MENU,
      sizes: ['wide'],
      reach: async () => {
        await press(page, /^Copy as/)
        await page.getByRole('menu').waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'tools-phone',
      inTests: 'skip',
      part: MENU,
      sizes: ['phone'],
      reach: async () => {
        await press(page, /^Tools$/)
        await page.getByRole('menu').waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'seen-by',
      part: DIALOG,
      reach: async () => {
        await press(page, /^Seen by/)
        await dialog.getByText('hidden', { exact: true }).first().waitFor()
        await dialog.getByText(/rows differ of/).waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'function-form',
      reach: async () => {
        await visit(page, '/rpc/passages')
        await page.getByRole('form', { name: 'Call passages' }).waitFor()
      },
    },
    {
      name: 'database-function',
      part: '#work',
      reach: async () => {
        const form = page.getByRole('form', { name: 'Call passages' })
        await form.getByRole('textbox', { name: 'vessel' }).fill('1')
        await form.getByRole('button', { name: 'Call' }).click()
        await page.getByRole('region', { name: 'Response' }).getByRole('cell').first().waitFor()
      },
    },
  ]
}

/** On a backend that does not list its tables, as hosted projects. */
export const hosted: Act = (page, product) => [
  {
    name: 'no-tables',
    part: MAIN,
    reach: async () => {
      const given = await page.request.get(`${product.url}/_chartroom/config`)
      const { schema: _, ...config } = (await given.json()) as Record<string, unknown>
      await page.route('**/_chartroom/config', route => route.fulfill({ json: config }))
      await product.signIn(page, product.skipper, '/data')
      await page.getByRole('region', { name: 'Ways to open tables' }).getByText('Secret API key').waitFor()
    },
  },
]

export const access: Act = (page, product) => [
  {
    name: 'start',
    inTests: 'pass',
    part: MAIN,
    reach: async () => {
      await enter(page, product, product.skipper, '/access')
      await page.getByRole('button', { name: 'Start review' }).waitFor()
    },
  },
  {
    name: 'matrix',
    part: MAIN,
    reach: async () => {
      await press(page, 'Start review')
      await page.getByRole('button', { name: 'Review again' }).waitFor({ timeout: 120_000 })
    },
    // Only the matrix scrolls sideways.
    fits: {
      sizes: [SIZES.phone, { width: 1280, height: 800 }],
      problems: () =>
        page.evaluate(() => {
          const { scrollWidth } = document.documentElement
          return scrollWidth > innerWidth ? [`${scrollWidth} px`] : []
        }),
    },
  },
  {
    name: 'proof',
    part: DIALOG,
    reach: async () => {
      const matrix = page.getByRole('group', { name: /^Access by account/ })
      await matrix.getByRole('button').nth(1).click()
      await page.getByRole('dialog').waitFor()
    },
  },
]
