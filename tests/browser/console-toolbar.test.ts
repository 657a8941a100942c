// The toolbar of the docked console: the same height in every state, and room for what is below it.
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

const WIDTHS = [390, 768, 1440, 1920]
const HEIGHT = 900
/** Characters of the filter that stay visible. */
const FILTER = 20
/** Share of the console's height that is the chart's at least. */
const CHART = 0.45

interface Measured {
  /** Heights of the toolbar by width. */
  readonly heights: readonly number[]
  /** Characters that the filter shows at least, at any width. */
  readonly characters: number
  /** Share of the console's height that the chart has at 1440 × 900. */
  readonly chart: number
  /** Buttons that lie outside of the toolbar, which only the line of steps may scroll. */
  readonly outside: readonly string[]
}

/** Measures the toolbar and the chart at each width. */
async function measure(console: Locator): Promise<Measured> {
  const all: { height: number; characters: number; chart: number; outside: string[] }[] = []
  for (const width of WIDTHS) {
    await console.page().setViewportSize({ width, height: HEIGHT })
    all.push(
      await console.evaluate(async section => {
        // The panes follow the size in the frame after it changed.
        for (let frame = 0; frame < 3; frame += 1) await new Promise(done => requestAnimationFrame(done))
        const bar = section.querySelector('[role=toolbar][aria-label=Console]')
        const field = section.querySelector<HTMLInputElement>('[role=combobox]')
        if (!bar || !field) throw new Error('The console has no toolbar, or no filter')
        const { top, bottom, left, right, height } = bar.getBoundingClientRect()
        const pen = document.createElement('canvas').getContext('2d')
        if (!pen) throw new Error('No canvas')
        pen.font = getComputedStyle(field).font
        // Actors without a machine have a card in its place.
        const drawn = section.querySelector('[data-chart-canvas], [data-pane=center] [role=tabpanel]')
        const chart = drawn?.getBoundingClientRect().height ?? 0
        const outside = [...bar.querySelectorAll('button')].filter(button => {
          const box = button.getBoundingClientRect()
          if (box.width === 0) return false
          const scrolls = button.closest('[class*=steps]')
          const isBeside = !scrolls && (box.left < left || box.right > right)
          return isBeside || box.top < top - 1 || box.bottom > bottom + 1
        })
        return {
          height,
          characters: Math.floor(field.clientWidth / pen.measureText('0').width),
          chart: chart / section.getBoundingClientRect().height,
          outside: outside.map(button => `${innerWidth} ${button.ariaLabel ?? button.textContent}`),
        }
      }),
    )
  }
  return {
    heights: all.map(({ height }) => height),
    characters: Math.min(...all.map(({ characters }) => characters)),
    chart: all[WIDTHS.indexOf(1440)]?.chart ?? 0,
    outside: all.flatMap(({ outside }) => outside),
  }
}

test('has one height per width in every state, whole buttons, a usable filter, and leaves room for the chart', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/account')
  const console = await workbench.openConsole()
  const button = (name: string | RegExp) => console.getByRole('button', { name }).first()
  const status = console.getByRole('group', { name: 'Control status' })
  const filter = console.getByRole('combobox', { name: 'Filter the log' })
  const wide = () => page.setViewportSize({ width: 1440, height: HEIGHT })
  await wide()
  await button('Pause the system').waitFor()
  const live = await measure(console)
  const expectSame = async (state: string) => {
    const now = await measure(console)
    expect({ state, heights: now.heights }).toEqual({ state, heights: live.heights })
    expect({ state, outside: now.outside }).toEqual({ state, outside: [] })
    expect(now.characters, `${state}: characters of the filter`).toBeGreaterThanOrEqual(FILTER)
    // The chart is drawn a moment after the width and the actor have changed.
    let { chart } = now
    await expect
      .poll(
        async () => {
          if (chart < CHART) ({ chart } = await measure(console))
          return chart
        },
        { message: `${state}: share of the chart` },
      )
      .toBeGreaterThanOrEqual(CHART)
    await wide()
  }
  await expectSame('live')

  await console.getByRole('button', { name: 'Previous event' }).click()
  await console.getByText(/event \d+ \(not live\)/).waitFor()
  await expectSame('past')
  await console.focus()
  for (const key of ['g', '<', '<', '<', 'Space']) await page.keyboard.press(key)
  await button('Stop playing').waitFor()
  await expectSame('playing')
  // Playing may have reached the end by now: leaving for the end stops it, too.
  await button(/^Live/).click()
  await button('Stop playing').waitFor({ state: 'detached' })

  await filter.fill('actor:session type:token.* -noop')
  await console.getByText(/hidden$/).waitFor()
  await expectSame('filter typed')
  await filter.fill('')

  await button('Pause the system').click()
  await status.getByText('Paused manually').waitFor()
  await expectSame('paused')
  await workbench.sections.getByRole('link', { name: /^Files/ }).click()
  await status.getByText(/1 event waiting/).waitFor()
  await button('Previous event').click()
  await filter.fill('actor:session type:token.* -noop')
  await expectSame('paused, with a waiting event, at a past moment, filtered')
  await filter.fill('')
  await button(/^Live/).click()
  await button('Resume the system').click()
  await status.getByText(/^Client clock .* behind/).waitFor()
  await expectSame('other clock')

  await button('Control the system').click()
  await console.getByRole('tab', { name: /^Faults/ }).click()
  await button('Set: Offline').click()
  await console.getByRole('button', { name: /^Control status: 1 more/ }).waitFor()
  await button('Control the system').click()
  await expectSame('other clock and a fault')

  // Everything is in the popover in full, also on a phone.
  await page.setViewportSize({ width: 390, height: HEIGHT })
  await console.getByRole('button', { name: /^Control status: 1 more/ }).press('Enter')
  const all = page.getByRole('dialog', { name: 'Control status' })
  await all.getByText(/Client clock .* behind/).waitFor()
  await all.getByRole('button', { name: 'Sync' }).click()
  await all.getByText(/Offline · /).waitFor()
  // It follows the state, and nothing is left to show after this.
  await all.getByRole('button', { name: 'Clear: Offline' }).press('Enter')
  await all.waitFor({ state: 'detached' })
  await status.waitFor({ state: 'detached' })
  await expect.poll(() => console.evaluate(it => it.contains(document.activeElement))).toBe(true)
  await wide()

  await button('Stop recording').click()
  await button('New recording').waitFor()
  await expectSame('stopped')

  const saved = await workbench.downloadRecording()
  const [choosing] = await Promise.all([
    page.waitForEvent('filechooser'),
    button('Open a trace file').click(),
  ])
  const name = 'a recording with a long name, from the night of the squall.trace.gz'
  await choosing.setFiles({ name, mimeType: 'application/gzip', buffer: saved })
  await button('Close file').waitFor()
  await expectSame('file')
  await button('Previous event').click()
  await page.keyboard.press('Shift+B')
  await page.getByRole('dialog', { name: 'Bookmarks' }).getByRole('textbox').fill('here')
  await page.keyboard.press('Enter')
  await button('1 bookmark, 1 note not saved').waitFor()
  await expectSame('file with an unsaved note, at a past moment')
})

test('the time of the recording is that of the page, not of the last event', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  // Its time may pass faster than responses arrive: it then probes the backend, also without a session.
  watch.allow(/status of 40[14] .*rest\/v1\//)
  await page.clock.install()
  await workbench.openAs(harbour.account('skipper'), '/account')
  await page.clock.runFor(13_000)
  const console = await workbench.openConsole()
  const elapsed = console.getByText(/^\d+:\d\d$/)
  const seconds = async () => {
    const [minutes = 0, rest = 0] = (await elapsed.innerText()).split(':').map(Number)
    return minutes * 60 + rest
  }
  // As the page counts since it was opened; the recording begins within a second or two.
  const since = () => page.evaluate(() => performance.now() / 1000)
  for (const ms of [0, 2_000, 3_000]) {
    await page.clock.runFor(ms)
    expect((await since()) - (await seconds())).toBeLessThan(3)
  }
})
