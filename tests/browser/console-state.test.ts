// State in the console: trees, search, pins, history of a value, and the difference of two moments, by
// keyboard.
import { expect } from 'vitest'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer } from '../harness/viewer-page.ts'

const test = withViewer

test('values can be browsed, searched, pinned, followed through time and compared', async ({ viewer }) => {
  const { page, console } = viewer
  const param = (name: string) => viewer.param(name)
  await viewer.open(atWork(), {
    viewport: { width: 1440, height: 900 },
    place: { actor: 'client/session' },
  })
  const tabs = console.getByRole('tablist', { name: 'Selected event' })
  const open = async (name: string) => {
    await tabs.getByRole('tab', { name, exact: true }).click()
    await expect.poll(() => tabs.getByRole('tab', { selected: true }).innerText()).toBe(name)
  }
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  // The tree: parts, their members, and the step's changes.
  await open('Context')
  const tree = console.getByRole('tree', { name: 'Context' })
  const chosen = tree.getByRole('treeitem', { selected: true })
  const expectChosen = async (name: RegExp) => {
    await expect.poll(() => tree.getByRole('treeitem', { selected: true, name }).count()).toBe(1)
  }
  await tree.focus()
  await press('Home')
  await expectChosen(/^state authenticated\(.* , changed$/)
  await press('ArrowDown', 'ArrowRight', "'", 't', 'o')
  await expectChosen(/^token , changed$/)
  expect(await chosen.getAttribute('aria-level')).toBe('2')
  await press('ArrowLeft')
  await expect.poll(() => chosen.getAttribute('aria-expanded')).toBe('false')
  await press('ArrowLeft')
  await expectChosen(/^context\b/)

  // The search: only matches and their parents, and moving between them.
  await press('Control+f')
  const field = console.getByRole('textbox', { name: 'Find in this value' })
  await expect.poll(() => field.evaluate(input => input === document.activeElement)).toBe(true)
  await page.keyboard.type('expiresAt')
  await press('Enter', 'ArrowDown')
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(3)
  await expectChosen(/^expiresAt [A-Z][a-z]{2} \d+, \d{4}, [\d:]+\s[AP]M [\d.]+$/)

  // The context menu: the value is pinned, and the URL contains the pin.
  await press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  const pins = console.getByRole('list', { name: 'Pinned values' })
  await expect.poll(() => pins.innerText()).toContain('session token.expiresAt')
  await expect.poll(() => param('pin')).toBe('client/session#/context/token/expiresAt')
  const value = (await chosen.innerText()).split(/\s/).at(-1) ?? '?'
  await expect.poll(() => pins.innerText()).toContain(value)

  // The history of the value, and of another path of the same actor.
  await tree.focus()
  await press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Show history' }).click()
  const changes = console.getByRole('listbox', { name: 'Changes over time' })
  await expect.poll(() => changes.getByRole('option').count()).toBe(1)
  await expect.poll(() => changes.innerText()).toContain(value)
  const path = console.getByRole('textbox', { name: 'Path of the value' })
  await path.fill('state')
  await path.press('Enter')
  await expect.poll(() => changes.innerText()).toMatch(/booting\.readingStorage\s*→\s*authenticated\(/)
  await changes.focus()
  await press('Home')
  await console.getByText(/event \d+ of \d+ \(not at end\)/).waitFor()
  await expect.poll(() => pins.innerText()).toContain('none')

  // Marks: the first state is A, the last is B, and the diff compares them.
  await press('m')
  await expect.poll(() => param('a')).toMatch(/^\d+$/)
  await press('End', 'm')
  await expect.poll(() => Number(param('b'))).toBeGreaterThan(Number(param('a')))
  await open('Diff')
  await console.getByRole('radio', { name: 'A → B' }).click()
  const difference = console.getByRole('list', { name: 'Changes' })
  await expect.poll(() => difference.innerText()).toMatch(/state\s*booting\.detectingUrl/)
  await console.getByRole('button', { name: 'All actors', exact: true }).click()
  await expect.poll(() => param('diff')).toBe('all-ab')
  const byActor = console.getByRole('list', { name: 'Changes by actor' })
  await expect.poll(() => byActor.getByRole('button', { name: /^session booting/ }).count()).toBe(1)

  // The causes, and moving along them with the arrow keys.
  await open('Cause')
  const chain = console.getByRole('list', { name: 'Causes' })
  await expect.poll(() => chain.innerText()).toMatch(/booting\.readingStorage → authenticated/)
  const steps = await chain.getByRole('button').count()
  await chain.getByRole('button').last().focus()
  await press('ArrowDown', 'Enter')
  await expect.poll(() => chain.getByRole('button').count()).toBe(steps + 1)
  await open('Event')

  // Everything survives a reload.
  await expect.poll(() => param('tab')).toBe('event')
  await page.reload()
  await expect.poll(() => pins.innerText()).toContain('session token.expiresAt')
  await expect.poll(() => tabs.getByRole('tab', { selected: true }).innerText()).toBe('Event')
  expect([param('diff'), param('tab')]).toEqual(['all-ab', 'event'])
})
