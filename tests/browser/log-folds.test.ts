// The log for newcomers: steps that only carry out an event are folded into it, and a legend explains the console once.
import { describe, expect } from 'vitest'
import { axeComplaints } from '../harness/axe.ts'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer, type ViewerPage } from '../harness/viewer-page.ts'

const test = withViewer

const logOf = ({ log }: ViewerPage) => log
const rowsOf = async (viewer: ViewerPage) => Number(await logOf(viewer).getAttribute('aria-rowcount')) - 1
const allSteps = ({ console }: ViewerPage) => console.getByRole('button', { name: 'All steps' })

/** Selects the client's first event: its start, into which those of its machines are folded. */
async function toStart(viewer: ViewerPage): Promise<void> {
  await logOf(viewer).focus()
  await viewer.page.keyboard.press('g')
  await expect.poll(() => viewer.param('at')).toBe('0')
}

describe('the log', () => {
  test('folds steps by default; keys and clicks expand and collapse them', async ({ viewer }) => {
    const { page } = viewer
    const trace = atWork()
    await viewer.open(trace)
    const folded = await rowsOf(viewer)
    expect(folded).toBeLessThan(trace.steps.length * 0.6)
    await toStart(viewer)
    const start = logOf(viewer).locator('[data-seq="0"]')
    expect(await start.getAttribute('aria-selected')).toBe('true')
    await start.getByText(/→ \d+ steps/).waitFor()
    expect(await start.getAttribute('aria-expanded')).toBe('false')
    const steps = Number(/→ (\d+) steps/.exec(await start.innerText())?.[1])

    await page.keyboard.press('ArrowRight')
    await expect.poll(() => rowsOf(viewer)).toBe(folded + steps)
    await page.keyboard.press('ArrowDown')
    const step = logOf(viewer).getByRole('row', { selected: true, level: 2 })
    await step.getByText('xstate.init').waitFor()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => rowsOf(viewer)).toBe(folded)
    // The collapsed row represents the selected step.
    await logOf(viewer).getByRole('row', { selected: true, expanded: false, level: 1 }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => rowsOf(viewer)).toBe(folded + steps)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => rowsOf(viewer)).toBe(folded)

    await start.getByText(/→ \d+ steps/).click()
    await expect.poll(() => rowsOf(viewer)).toBe(folded + steps)
    expect(await axeComplaints(page, '[aria-label="Event log"]')).toEqual([])
    await start.getByText(/→ \d+ steps/).click()
    await expect.poll(() => rowsOf(viewer)).toBe(folded)
    // The next row is the next event, not a step of this one.
    await toStart(viewer)
    await page.keyboard.press('j')
    await expect.poll(() => viewer.param('at')).not.toBe('1')
    expect(await rowsOf(viewer)).toBe(folded)
  })

  test('shows all steps when the user wants that, also after a reload', async ({ viewer }) => {
    const { page } = viewer
    const trace = atWork()
    await viewer.open(trace)
    const folded = await rowsOf(viewer)
    await viewer.showAllSteps()
    const grid = viewer.console.getByRole('grid', { name: 'Event log' })
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(trace.steps.length + 1))
    await page.reload()
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(trace.steps.length + 1))
    expect(await allSteps(viewer).getAttribute('aria-pressed')).toBe('true')
    // By key, and by the palette.
    await grid.focus()
    await page.keyboard.press('h')
    await expect.poll(() => rowsOf(viewer)).toBe(folded)
    await viewer.console.focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('all steps')
    await page.keyboard.press('Enter')
    await grid.waitFor()
    expect(await axeComplaints(page, '[aria-label="Event log"]')).toEqual([])
  })

  test('never hides what is selected, linked, marked or searched', async ({ viewer }) => {
    const { page } = viewer
    const trace = atWork()
    const seq = trace.steps.findIndex(({ actor, event }) => actor > 0 && event.type === 'xstate.init')
    const actor = trace.actors[trace.steps[seq]?.actor ?? -1]?.path ?? ''
    await viewer.open(trace)
    const folded = await rowsOf(viewer)
    await viewer.open(trace, { place: { at: String(seq), actor } })
    const row = logOf(viewer).locator(`[data-seq="${seq}"]`)
    await row.waitFor()
    expect(await row.getAttribute('aria-selected')).toBe('true')
    // A mark expands it for another place, too.
    await viewer.open(trace, { place: { a: String(seq), at: '0', actor: 'client' } })
    await row.getByRole('img', { name: 'Mark A' }).waitFor()
    await viewer.open(trace)
    expect(await rowsOf(viewer)).toBe(folded)
    await viewer.filterLog('type:xstate.init')
    const inits = trace.steps.filter(({ event }) => event.type === 'xstate.init').length
    await expect.poll(() => rowsOf(viewer)).toBe(inits)
    // A cause that is folded becomes visible.
    await viewer.filterLog('')
    await expect.poll(() => rowsOf(viewer)).toBe(folded)
    await toStart(viewer)
    await page.keyboard.press(']')
    await logOf(viewer).getByRole('row', { selected: true, level: 2 }).waitFor()
  })
})

test('a legend of five lines is shown until it is dismissed, and on the sheet of shortcuts', async ({
  viewer,
}) => {
  const { page, console } = viewer
  await viewer.open(atWork())
  const legend = console.getByRole('note', { name: 'How to read the console' })
  expect(await legend.getByRole('listitem').count()).toBe(5)
  expect(await axeComplaints(page, '[role=note]')).toEqual([])
  await page.reload()
  await legend.waitFor()
  // A console that opens at an event leaves the room to it.
  await viewer.open(atWork(), { place: { at: '3', actor: 'client' } })
  expect(await legend.count()).toBe(0)
  await viewer.open(atWork())
  await viewer.dismissLegend()
  await legend.waitFor({ state: 'detached' })
  await expect.poll(() => console.evaluate(one => one.contains(document.activeElement))).toBe(true)
  await page.reload()
  await console.getByRole('row').first().waitFor()
  expect(await legend.count()).toBe(0)
  await console.focus()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Console shortcuts' })
  expect(await sheet.getByRole('list', { name: 'Legend' }).getByRole('listitem').count()).toBe(5)
  expect(await axeComplaints(page, '[role=dialog]')).toEqual([])
})

test('an actor says what it is for', async ({ viewer }) => {
  const { console } = viewer
  await viewer.open(atWork(), { place: { actor: 'client/refresh', tab: 'event' } })
  const about = 'When to refresh the token'
  await console.getByRole('tabpanel', { name: 'Event' }).getByText(about).waitFor()
  await viewer.showActors()
  const row = await viewer.actorRow(/^refresh\b/)
  await expect.poll(() => row.getByText('refresh', { exact: true }).getAttribute('title')).toContain(about)
})
