// A simulated DOM page as its user meets it: dialogs, fields, boxes and buttons by their names.
import { act, type ReactNode } from 'react'
import { vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { useStatus } from '../../src/public/react.ts'
import { renderPage } from './react.tsx'

// Browser APIs that the widgets need.
for (const name of [
  'HTMLElement',
  'HTMLButtonElement',
  'HTMLInputElement',
  'HTMLTextAreaElement',
  'SVGElement',
  'Element',
  'Node',
  'NodeFilter',
  'MutationObserver',
  'Event',
  'CustomEvent',
  'PointerEvent',
  'MouseEvent',
  'KeyboardEvent',
  'getComputedStyle',
] as const)
  vi.stubGlobal(name, window[name])

const words = (element: Element | null): string => element?.textContent?.trim() ?? ''

const isNamed = (element: Element, name: string): boolean => {
  const by = (element.getAttribute('aria-labelledby') ?? '').split(' ').map(id => document.getElementById(id))
  return [
    element.getAttribute('aria-label') ?? '',
    words(element),
    ...by.map(words),
    words(element.closest('label')),
  ].some(one => one.startsWith(name))
}

function one<Found extends HTMLElement>(among: NodeListOf<Found>, name: string): Found {
  const [found, ...others] = [...among].filter(element => isNamed(element, name))
  if (found === undefined || others.length > 0)
    throw new Error(`There are ${found ? others.length + 1 : 0} called ${name}.`)
  return found
}

const setText = (of: { readonly prototype: object }) =>
  Object.getOwnPropertyDescriptor(of.prototype, 'value')?.set

export const dialogs = (): string[] =>
  [...document.querySelectorAll('[role=dialog]')].map(element => words(element.querySelector('h2, h3')))

export const field = (name: string) =>
  one(document.querySelectorAll<HTMLInputElement>('input:not([type=checkbox])'), name)
/** A multi-line field. */
export const text = (name: string) => one(document.querySelectorAll('textarea'), name)
export const box = (name: string) =>
  one(document.querySelectorAll<HTMLInputElement>('input[type=checkbox]'), name)
export const press = (name: string) => act(async () => one(document.querySelectorAll('button'), name).click())
export const tick = (name: string) => act(async () => box(name).click())

/** Replaces the text of an element. */
export const type = (input: HTMLElement | undefined, text: string) =>
  act(async () => {
    const { HTMLInputElement, HTMLTextAreaElement } = window
    setText(input?.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement)?.call(input, text)
    input?.dispatchEvent(new window.Event('input', { bubbles: true }) as unknown as Event)
  })

/** Replaces the text of a field. */
export const write = (name: string, text: string) =>
  type(one(document.querySelectorAll<HTMLElement>('input:not([type=checkbox]), textarea'), name), text)

function WhileSignedIn({ children }: { readonly children: ReactNode }) {
  const isIn = useStatus(({ session }) => session.phase === 'authenticated')
  return isIn ? children : <p>Sign in</p>
}

/** Shows a page to the signed-in user, as the workbench does. */
export async function renderWork(client: ChartroomClient, work: ReactNode) {
  const page = await renderPage(client, <WhileSignedIn>{work}</WhileSignedIn>)
  return { ...page, show: (next: ReactNode) => page.show(<WhileSignedIn>{next}</WhileSignedIn>) }
}
