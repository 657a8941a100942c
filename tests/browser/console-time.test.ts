// Time in the console: overview, timeline, sequence and network, by keyboard, sharing the place in the URL.
import { expect } from 'vitest'
import { fromCallback, setup, SimulatedClock, spawnChild } from 'xstate'
import { record } from '../../src/public/devtools/recording.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer } from '../harness/viewer-page.ts'

const test = withViewer

test('overview, timeline, sequence and network share one place, by keyboard alone', async ({ viewer }) => {
  const { page, console } = viewer
  const param = (name: string) => viewer.param(name)
  await viewer.open(atWork(), { place: { actor: 'client/session' } })
  const tab = (name: string) => console.getByRole('tab', { name, exact: true })

  // The timeline: one lane per actor, with its events under the arrow keys.
  await tab('Chart').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const timeline = console.getByRole('grid', { name: 'Timeline' })
  await timeline.focus()
  const lane = timeline.getByRole('row', { selected: true })
  await expect.poll(() => lane.innerText()).toContain('session')
  await page.keyboard.press('Home')
  await console.getByText(/event \d+ of \d+ \(not at end\)/).waitFor()
  await expect.poll(() => lane.innerText()).toContain('booting')
  await page.keyboard.press('End')
  await expect.poll(() => lane.innerText()).toContain('authenticated')
  const chosen = Number(await console.getByRole('slider', { name: 'Moment' }).getAttribute('aria-valuenow'))
  // Anywhere in the console: W zooms in, Shift+G goes to an event, M marks it.
  await page.keyboard.press('w')
  await expect.poll(() => param('t')).toMatch(/^\d+(\.\d+)?-\d+(\.\d+)?$/)
  await page.keyboard.press('Escape')
  await expect.poll(() => param('t')).toBeNull()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => lane.innerText()).not.toContain('authenticated')
  await page.keyboard.press('Shift+G')
  const goTo = timeline.locator('..').getByRole('textbox', { name: 'Go to time or event' })
  await expect.poll(() => goTo.evaluate(field => field === document.activeElement)).toBe(true)
  await goTo.fill('#3')
  await page.keyboard.press('Enter')
  await console.getByText(/^event 3 of \d+ \(not at end\)$/).waitFor()
  for (const key of ['j', 'm', 'j', 'j', 'm']) await page.keyboard.press(key)
  await console.getByText(/lanes? .* A to B \d/).waitFor()
  await goTo.fill(`#${chosen}`)
  await goTo.press('Enter')

  // The overview: the moment and both ends of the range are sliders.
  const moment = console.getByRole('slider', { name: 'Moment' })
  await moment.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => moment.getAttribute('aria-valuenow')).toBe(String(chosen - 1))
  const from = console.getByRole('slider', { name: 'Range from' })
  await from.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(async () => Number(await from.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => from.getAttribute('aria-valuenow')).toBe('0')

  // The transport: Space plays from the first event to the end, and stops there.
  await moment.focus()
  await page.keyboard.press('Home')
  await expect.poll(() => moment.getAttribute('aria-valuenow')).toBe('0')
  await console.getByRole('button', { name: 'Playback speed: 1×' }).press('Enter')
  await page.getByRole('menuitemradio', { name: '100×' }).click()
  await timeline.focus()
  await page.keyboard.press('Space')
  const last = (await moment.getAttribute('aria-valuemax')) ?? ''
  await expect.poll(() => moment.getAttribute('aria-valuenow')).toBe(last)

  // The network: requests to the backend; a row selects its request in all views.
  await tab('Network').click()
  const network = console.getByRole('grid', { name: 'Network' })
  const vessels = network.getByRole('row', { name: /GET rest\/vessels/ }).first()
  await vessels.waitFor()
  await vessels.click()
  await expect.poll(() => vessels.getAttribute('aria-selected')).toBe('true')
  const details = console.getByRole('region', { name: 'Selected request' })
  await details.getByText(/response 200 after/).waitFor()
  await details.getByRole('button', { name: 'Copy as curl, without secrets' }).waitFor()
  await console.getByRole('textbox', { name: 'Find calls' }).fill('no such call')
  await console.getByText('No matching calls in this range').waitFor()
  await page.keyboard.press('Escape')
  await vessels.waitFor()
  await network.getByRole('button', { name: 'time' }).click()
  await expect
    .poll(() => network.getByRole('columnheader', { name: 'time' }).getAttribute('aria-sort'))
    .toBe('ascending')

  // The sequence: that request has a lifeline, and its messages are rows.
  await tab('Sequence').click()
  const sequence = console.getByRole('grid', { name: 'Sequence diagram' })
  await sequence.getByRole('row').first().waitFor()
  await sequence.focus()
  await page.keyboard.press('ArrowUp')
  const message = sequence.getByRole('row', { selected: true })
  await expect.poll(() => message.innerText()).toMatch(/ to /)

  // The place survives a reload once it is in the URL, which is written after a pause.
  await expect.poll(() => param('view')).toBe('sequence')
  await page.reload()
  await expect.poll(() => tab('Sequence').getAttribute('aria-selected')).toBe('true')
})

test('the bar of an actor with states shows their names, not the number of its collapsed actors', async ({
  viewer,
}) => {
  const { page, console } = viewer
  // What is drawn on a canvas has no elements.
  const watching = await page.addInitScript(() => {
    const drawn: string[] = []
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      drawn.push(text)
      fillText.call(this, text, ...place)
    }
    Object.assign(window, { drawn })
  })
  const drawn = () => page.evaluate(() => (window as unknown as { drawn: string[] }).drawn)
  await viewer.open(berths())
  await watching.dispose()
  await console.getByRole('tab', { name: 'Timeline', exact: true }).click()
  await console.getByRole('grid', { name: 'Timeline' }).getByRole('row', { name: /pier/ }).waitFor()
  await expect.poll(drawn).toEqual(expect.arrayContaining(['open', 'closed']))
  expect((await drawn()).filter(text => text.includes('at once'))).toEqual([])
})

/** A recording of a machine with states and more actors than the timeline shows in lanes. */
function berths(): ReplayableTrace {
  const clock = new SimulatedClock()
  const pier = setup({ actors: { ship: fromCallback(() => undefined) } }).createMachine({
    id: 'pier',
    entry: Array.from({ length: 14 }, (_, n) => spawnChild('ship', { id: `ship${n}` })),
    initial: 'open',
    states: { open: { on: { close: 'closed' } }, closed: { on: { open: 'open' } } },
  })
  const recording = record(pier, { clock })
  recording.start()
  for (const type of ['close', 'open', 'close'] as const) {
    clock.increment(1000)
    recording.actor.send({ type })
  }
  clock.increment(1000)
  return recording.trace
}
