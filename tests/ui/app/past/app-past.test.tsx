// While the bar shows the past: a press in the page ends that, and acts as usual.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onPagePress } from '../../../../src/ui/app/past/page-press.ts'
import '../../../harness/react.tsx'

vi.stubGlobal('Element', window.Element)

beforeEach(() => {
  document.body.innerHTML = `
    <div id="root">
      <header><button id="console-button"></button></header>
      <section data-past-line><button id="back"></button></section>
      <button id="save"></button>
      <section data-own-keys><button id="in-console"></button></section>
    </div>
    <div role="menu"><button id="in-menu"></button></div>`
})
afterEach(() => {
  stop?.()
  stop = undefined
  document.body.innerHTML = ''
})
let stop: (() => void) | undefined

const byId = (id: string) => document.getElementById(id) as HTMLElement

/** Listens to presses until the first one, as the app does. */
function listening() {
  const left = vi.fn<() => void>(() => stop?.())
  stop = onPagePress(left)
  return left
}

function press(id: string): string[] {
  const seen: string[] = []
  const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']
  const note = (event: Event) => seen.push(event.type)
  for (const type of types) byId(id).addEventListener(type, note)
  for (const type of types)
    byId(id).dispatchEvent(new window.Event(type, { bubbles: true, cancelable: true }))
  for (const type of types) byId(id).removeEventListener(type, note)
  return seen
}

function key(id: string, init: KeyboardEventInit): string[] {
  const seen: string[] = []
  const note = ({ type }: Event) => seen.push(type)
  const types = ['keydown', 'keyup'] as const
  for (const type of types) window.addEventListener(type, note)
  for (const type of types)
    byId(id).dispatchEvent(new window.KeyboardEvent(type, { bubbles: true, cancelable: true, ...init }))
  for (const type of types) window.removeEventListener(type, note)
  return seen
}

const WHOLE = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']

test('a press in the page is reported once, and acts', () => {
  const left = listening()
  expect(press('save')).toEqual(WHOLE)
  expect(left).toHaveBeenCalledTimes(1)
  press('save')
  expect(left).toHaveBeenCalledTimes(1)
})

test('a click without a press, as of a screen reader, is a press', () => {
  const left = listening()
  byId('save').click()
  expect(left).toHaveBeenCalledTimes(1)
})

test('a key that acts is a press; one that only moves is not', () => {
  const left = listening()
  for (const name of ['Tab', 'ArrowDown', 'Escape']) key('save', { key: name, code: name })
  expect(left).not.toHaveBeenCalled()
  expect(key('save', { key: 'Enter', code: 'Enter' })).toEqual(['keydown', 'keyup'])
  expect(left).toHaveBeenCalledTimes(1)
})

test.each(['in-console', 'in-menu', 'back', 'console-button'])('%s is not in the page', id => {
  const left = listening()
  press(id)
  expect(left).not.toHaveBeenCalled()
})

test('overlays belong to the app if the console is in a separate window', () => {
  document.querySelector('[data-own-keys]')?.remove()
  const left = listening()
  press('in-menu')
  expect(left).toHaveBeenCalledTimes(1)
})

test('keys that close the console or open a palette are no presses', () => {
  const left = listening()
  key('save', { key: '`', code: 'Backquote', ctrlKey: true })
  key('save', { key: 'k', code: 'KeyK', ctrlKey: true })
  key('in-console', { key: 'Enter', code: 'Enter', ctrlKey: true })
  expect(left).not.toHaveBeenCalled()
})
