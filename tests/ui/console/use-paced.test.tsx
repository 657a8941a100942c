// Paced values: throttled ones change at most so often, debounced ones once they are stable.
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDebounced, useThrottled } from '../../../src/ui/console/use-paced.ts'
import { renderAlone } from '../../harness/react.tsx'

const { act, StrictMode } = await import('react')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const render = (children: ReactNode) => renderAlone(children, inner => <StrictMode>{inner}</StrictMode>)

type Page = Awaited<ReturnType<typeof render>>

/** Every timer ends with the component. */
async function expectNoTimers(page: Page) {
  await page.unmount()
  expect(vi.getTimerCount()).toBe(0)
}

function Throttled({ value, ms = 100 }: { readonly value: number; readonly ms?: number | undefined }) {
  return useThrottled(value, ms)
}

test('a throttled value: the first change at once, then the latest one after each pause', async () => {
  const page = await render(<Throttled value={1} />)
  const shown: (string | null)[] = []
  for (let value = 2; value <= 10; value++) {
    await page.show(<Throttled value={value} />)
    shown.push(page.text())
    await pass(20)
    await pass(20)
  }
  expect(shown).toEqual(['2', '2', '2', '4', '4', '6', '6', '6', '9'])
  await pass(100)
  expect(page.text()).toBe('10')
  await pass(200)
  expect(vi.getTimerCount()).toBe(0)
  await page.show(<Throttled value={11} />)
  expect(page.text()).toBe('11')
  await expectNoTimers(page)
})

function Paused({ value, isPaced }: { readonly value: number; readonly isPaced: boolean }) {
  return useThrottled(value, isPaced ? 100 : undefined)
}

test('a value is current while it is not throttled, and when throttling begins', async () => {
  const page = await render(<Paused value={1} isPaced />)
  await page.show(<Paused value={2} isPaced />)
  await page.show(<Paused value={3} isPaced />)
  expect(page.text()).toBe('2')
  await page.show(<Paused value={3} isPaced={false} />)
  expect([page.text(), vi.getTimerCount()]).toEqual(['3', 0])
  await page.show(<Paused value={4} isPaced={false} />)
  expect(page.text()).toBe('4')
  await page.show(<Paused value={4} isPaced />)
  expect(page.text()).toBe('4')
  await expectNoTimers(page)
})

function Debounced({ value }: { readonly value: number }) {
  return useDebounced(value, 80)
}

test('a debounced value: a single step is followed immediately, a held key on release', async () => {
  const page = await render(<Debounced value={1} />)
  const go = (value: number) => page.show(<Debounced value={value} />)
  await go(2)
  expect(page.text()).toBe('2')
  await pass(80)
  const seen = new Set<string | null>()
  for (let value = 3; value < 30; value++) {
    await go(value)
    await pass(40)
    seen.add(page.text())
  }
  expect(seen).toEqual(new Set(['3']))
  await pass(80)
  expect(page.text()).toBe('29')
  await go(30)
  expect(page.text()).toBe('30')
  await expectNoTimers(page)
})
