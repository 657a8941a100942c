// What is open over the console's views closes when what it is about changes, and the focus stays nearby.
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer } from '../harness/viewer-page.ts'

const test = withViewer

const hasFocus = (element: Locator) =>
  element.evaluate(it => it !== document.body && it.contains(document.activeElement))

test('the card of a state closes once other states are active, and not before', async ({ viewer }) => {
  const { page, console } = viewer
  await viewer.open(atWork(), {
    viewport: { width: 1680, height: 900 },
    place: { actor: 'client/session', at: '8' },
  })
  const chart = (active: string) =>
    console.getByRole('img', { name: `Statechart of session. Active: ${active}`, exact: true })
  await chart('booting, booting.detectingUrl').waitFor()
  const card = console.getByRole('region', { name: /^State / })
  await console.getByRole('application', { name: /^Chart of session/ }).focus()
  for (const key of ['Home', 'Enter']) await page.keyboard.press(key)
  await card.waitFor()
  await page.evaluate(async () => {
    for (let frame = 0; frame < 20; frame += 1) await new Promise(done => requestAnimationFrame(done))
  })
  expect(await card.count()).toBe(1)
  await page.keyboard.press('Shift+J')
  await chart('booting, booting.readingStorage').waitFor()
  await card.waitFor({ state: 'detached' })
  expect(await hasFocus(console)).toBe(true)
})

test('dismissed, deleted and answered parts leave the focus in the console', async ({ viewer }) => {
  const { page, console } = viewer
  await viewer.open(atWork(), {
    viewport: { width: 1440, height: 900 },
    place: { at: '99999', actor: 'client/session' },
  })
  const button = (name: string | RegExp) => console.getByRole('button', { name })
  /** Presses it by keyboard, waits until it is gone, and a few frames more. */
  const press = async (target: Locator, within = console) => {
    const element = await target.elementHandle()
    await target.press('Enter')
    await element?.waitForElementState('hidden')
    await page.evaluate(async () => {
      for (let frame = 0; frame < 4; frame += 1) await new Promise(done => requestAnimationFrame(done))
    })
    expect({ target: String(target), isNear: await hasFocus(within) }).toEqual({
      target: String(target),
      isNear: true,
    })
  }
  await press(console.getByRole('button', { name: 'Dismiss', exact: true }))

  await console.getByRole('tab', { name: /^Checks/ }).press('Enter')
  await button('Add assertions').press('Enter')
  await press(button('Cancel'))
  await button('Add assertions').press('Enter')
  const never = { never: { src: 'session', entered: 'authenticated' }, says: 'Signed in.' }
  await console
    .getByRole('textbox', { name: 'Assertions as JSON' })
    .fill(JSON.stringify([{ name: 'never signs in', check: never }]))
  await press(button('Run 1 check'))
  await button('Shortest run…').press('Enter')
  const shortest = page.getByRole('dialog', { name: 'Shortest run that still fails' })
  await shortest.getByRole('button', { name: 'Search' }).press('Enter')
  await shortest.getByRole('button', { name: 'Open', exact: true }).waitFor()
  await expect.poll(() => hasFocus(shortest)).toBe(true)
  await press(shortest.getByRole('button', { name: 'Open', exact: true }))

  await console.getByRole('tab', { name: 'Replay' }).press('Enter')
  await press(button('Verify by replay'))

  await console.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('save layouts')
  await page.keyboard.press('Enter')
  const layouts = page.getByRole('dialog', { name: 'Layouts' })
  await layouts.getByRole('textbox', { name: 'Name' }).fill('Night watch')
  await page.keyboard.press('Enter')
  await press(layouts.getByRole('button', { name: 'Delete Night watch' }), layouts)
  await page.keyboard.press('Escape')
  await layouts.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(console)).toBe(true)
})
