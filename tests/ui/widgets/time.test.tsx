// Hooks for time: what is shown after a moment, again and again, or for a moment.
import { useEffect, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  useHasElapsed,
  useInterval,
  useSampled,
  useTimeout,
  useTransient,
} from '../../../src/ui/widgets/time.ts'
import { useMedia } from '../../../src/ui/widgets/use-media.ts'
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

interface RunProps {
  readonly run: () => void
  readonly ms: number | undefined
  readonly of?: unknown
}

function Once({ run, ms, of }: RunProps) {
  useTimeout(run, ms, of)
  return null
}

test('a timeout calls the latest function once, and starts again with its key', async () => {
  const calls: string[] = []
  const page = await render(<Once run={() => calls.push('a')} ms={100} of={1} />)
  await pass(60)
  await page.show(<Once run={() => calls.push('b')} ms={100} of={1} />)
  await pass(40)
  expect(calls).toEqual(['b'])
  await pass(500)
  expect(calls).toEqual(['b'])
  await page.show(<Once run={() => calls.push('c')} ms={100} of={2} />)
  await pass(99)
  await page.show(<Once run={() => calls.push('d')} ms={100} of={3} />)
  await pass(99)
  expect(calls).toEqual(['b'])
  await pass(1)
  expect(calls).toEqual(['b', 'd'])
  await page.show(<Once run={() => calls.push('e')} ms={undefined} of={4} />)
  expect(vi.getTimerCount()).toBe(0)
  await page.show(<Once run={() => calls.push('f')} ms={100} of={4} />)
  await expectNoTimers(page)
})

function Repeated({ run, ms, of }: RunProps) {
  useInterval(run, ms, of)
  return null
}

test('an interval calls at once and repeatedly, until it is stopped', async () => {
  const calls: string[] = []
  const page = await renderAlone(<Repeated run={() => calls.push('a')} ms={100} />)
  expect(calls).toEqual(['a'])
  await pass(150)
  await page.show(<Repeated run={() => calls.push('b')} ms={100} />)
  await pass(50)
  expect(calls).toEqual(['a', 'a', 'b'])
  await page.show(<Repeated run={() => calls.push('c')} ms={100} of="another" />)
  expect(calls).toEqual(['a', 'a', 'b', 'c'])
  await page.show(<Repeated run={() => calls.push('d')} ms={undefined} />)
  await pass(500)
  expect(calls).toHaveLength(4)
  await expectNoTimers(page)
})

function Elapsed({ ms, of }: { readonly ms: number | undefined; readonly of: string }) {
  return useHasElapsed(ms, of) ? 'yes' : 'no'
}

test('what has elapsed for one key has not for another', async () => {
  const page = await render(<Elapsed ms={100} of="a" />)
  await pass(99)
  expect(page.text()).toBe('no')
  await pass(1)
  expect(page.text()).toBe('yes')
  await page.show(<Elapsed ms={100} of="b" />)
  expect(page.text()).toBe('no')
  await page.show(<Elapsed ms={100} of="a" />)
  expect(page.text()).toBe('no')
  await pass(100)
  expect(page.text()).toBe('yes')
  await page.show(<Elapsed ms={undefined} of="a" />)
  expect([page.text(), vi.getTimerCount()]).toEqual(['no', 0])
  await expectNoTimers(page)
})

function Transient({ onSay }: { readonly onSay: (say: (text: string) => void) => void }) {
  const [text = 'nothing', setText] = useTransient<string>(100)
  useEffect(() => onSay(setText), [onSay, setText])
  return text
}

test('transient state is cleared when it has not changed for a moment', async () => {
  let say: (text: string) => void = () => undefined
  const page = await render(<Transient onSay={set => (say = set)} />)
  act(() => say('a'))
  await pass(60)
  act(() => say('ab'))
  await pass(99)
  expect(page.text()).toBe('ab')
  act(() => say('ab'))
  await pass(1)
  expect([page.text(), vi.getTimerCount()]).toEqual(['nothing', 0])
  await expectNoTimers(page)
})

let renders = 0
let sample = 1
function Sampled({ ms }: { readonly ms: number | undefined }) {
  renders++
  return useSampled(() => sample, ms)
}

test('a sample is read again and again, and renders only when it changed', async () => {
  const page = await renderAlone(<Sampled ms={100} />)
  renders = 0
  await pass(1_000)
  expect(renders).toBe(0)
  sample = 2
  await pass(99)
  expect(page.text()).toBe('1')
  await pass(1)
  expect([page.text(), renders]).toEqual(['2', 1])
  await page.show(<Sampled ms={undefined} />)
  sample = 3
  await pass(1_000)
  expect(page.text()).toBe('2')
  await expectNoTimers(page)
})

function Wide() {
  return useMedia('(min-width: 500px)') ? 'wide' : 'narrow'
}

test('a media query is followed', async () => {
  const media = Object.assign(new EventTarget(), { matches: false })
  vi.stubGlobal('matchMedia', () => media)
  const page = await render(<Wide />)
  expect(page.text()).toBe('narrow')
  media.matches = true
  await act(async () => media.dispatchEvent(new Event('change')))
  expect(page.text()).toBe('wide')
})
