// Debounced values: updated immediately after a pause, otherwise once they are stable.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useThrottled } from '../../src/ui/console/use-paced.ts'
import '../harness/react.tsx'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

const SETTLE_MS = 80

function Follower({ actor }: { readonly actor: number }) {
  return <output>{useThrottled(actor, SETTLE_MS)}</output>
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a single step is followed immediately, a held key on release', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const go = (actor: number) => act(async () => root.render(<Follower actor={actor} />))
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))
  const shown = () => Number(place.textContent)

  await go(1)
  await go(2)
  expect(shown()).toBe(2)
  await pass(SETTLE_MS)

  const seen = []
  for (let actor = 3; actor < 30; actor++) {
    await go(actor)
    await pass(SETTLE_MS / 2)
    seen.push(shown())
  }
  expect(new Set(seen)).toEqual(new Set([3]))
  await pass(SETTLE_MS)
  expect(shown()).toBe(29)

  await go(30)
  expect(shown()).toBe(30)
  await act(async () => root.unmount())
  expect(vi.getTimerCount()).toBe(0)
})
