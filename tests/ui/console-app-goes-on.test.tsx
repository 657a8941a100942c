// The note over the console at a past event of a live recording: that the app goes on, until it is dismissed.
import { beforeEach, expect, test, vi } from 'vitest'
import { START } from '../../src/ui/console/model/place.ts'
import { RowFilter } from '../../src/ui/console/model/row-filter.ts'
import { AppGoesOn } from '../../src/ui/console/news/app-goes-on.tsx'
import { ConsoleContext, type ConsoleValue } from '../../src/ui/console/use-console.ts'
import { press } from '../harness/by-role.tsx'
import { renderAlone } from '../harness/react.tsx'
import { consoleParts } from './console-parts.ts'
import { actorEntries, stepRecords, traceSource } from './console-trace.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  })
})

const STEPS = 5
const run = vi.fn<ConsoleValue['run']>()

/** The note at an event of a recording of five. */
function noteAt(at: number, live = true) {
  const source = traceSource({
    actors: actorEntries(['client', 'client']),
    steps: stepRecords(Array.from({ length: STEPS }, () => ({ actor: 0, type: 'tick', value: 'on' }))),
  })
  const parts = consoleParts({ ...source, live })
  const { timeline, details } = parts
  const nothing = () => undefined
  const value: ConsoleValue = {
    ...parts,
    place: START,
    selection: { timeline, at, following: at === STEPS - 1, actor: 0, seq: at },
    filter: new RowFilter('', timeline, details),
    go: nothing,
    pick: nothing,
    run,
  }
  return (
    <ConsoleContext value={value}>
      <AppGoesOn />
    </ConsoleContext>
  )
}

test('shows at a past event of a live recording only', async () => {
  const page = await renderAlone(noteAt(2))
  expect(page.text()).toContain('Only the console shows event 2. The app itself goes on.')
  await page.show(noteAt(STEPS - 1))
  expect(page.text()).toBe('')
  await page.show(noteAt(-1))
  expect(page.text()).toBe('')
  await page.show(noteAt(2, false))
  expect(page.text()).toBe('')
})

test('its button returns to the end', async () => {
  await renderAlone(noteAt(2))
  await press('Back to now')
  expect(run).toHaveBeenCalledWith('end')
})

test('once dismissed, it does not show again, nor in the next console', async () => {
  const page = await renderAlone(noteAt(2))
  await press('Got it')
  expect(page.text()).toBe('')
  await page.show(noteAt(3))
  expect(page.text()).toBe('')
  await page.unmount()
  expect((await renderAlone(noteAt(1))).text()).toBe('')
})
