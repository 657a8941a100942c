// While the bar shows the past: the first press in the page only ends that.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { guardPage } from '../../src/ui/app/past/guard-page.ts'
import '../harness/react.tsx'

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

/** Guards the page, and ends the guard at the first press as the app does. */
function guarded() {
  const left = vi.fn<() => void>(() => stop?.())
  stop = guardPage(left)
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

test('the first press is swallowed to its end, and the second one acts', () => {
  const left = guarded()
  expect(press('save')).toEqual([])
  expect(left).toHaveBeenCalledTimes(1)
  expect(press('save')).toEqual(WHOLE)
  expect(left).toHaveBeenCalledTimes(1)
})

test('a click without a press, as of a screen reader, is swallowed once', () => {
  const left = guarded()
  const clicked = vi.fn<() => void>()
  byId('save').addEventListener('click', clicked)
  byId('save').click()
  expect([left.mock.calls.length, clicked.mock.calls.length]).toEqual([1, 0])
  byId('save').click()
  expect(clicked).toHaveBeenCalledTimes(1)
})

test('a key that acts is swallowed with its release; one that only moves is not', () => {
  const left = guarded()
  expect([key('save', { key: 'Tab' }), key('save', { key: 'ArrowDown' })]).toEqual([
    ['keydown', 'keyup'],
    ['keydown', 'keyup'],
  ])
  expect(key('save', { key: 'Enter', code: 'Enter' })).toEqual([])
  expect(left).toHaveBeenCalledTimes(1)
  expect(key('save', { key: 'Enter', code: 'Enter' })).toEqual(['keydown', 'keyup'])
})

test.each(['in-console', 'in-menu', 'back', 'console-button'])('%s is free', id => {
  const left = guarded()
  expect(press(id)).toEqual(WHOLE)
  expect(left).not.toHaveBeenCalled()
})

test('overlays of the app are not free if the console is in a separate window', () => {
  document.querySelector('[data-own-keys]')?.remove()
  const left = guarded()
  expect(press('in-menu')).toEqual([])
  expect(left).toHaveBeenCalledTimes(1)
})

test('shortcuts of the app do not pass through the console; those that close the console do', () => {
  guarded()
  expect(key('in-console', { key: 'Enter', code: 'Enter', ctrlKey: true })).toEqual(['keyup'])
  expect(key('in-console', { key: '`', code: 'Backquote', ctrlKey: true })).toEqual(['keydown', 'keyup'])
  expect(key('in-console', { key: 'j', code: 'KeyJ' })).toEqual(['keydown', 'keyup'])
})
