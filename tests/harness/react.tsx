// A simulated DOM page with one React root in it, under StrictMode, over a client on a simulated backend.
import { Window } from 'happy-dom'
import { act, StrictMode, type ReactNode } from 'react'
import { vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { ChartroomProvider } from '../../src/public/react.ts'
import { atTestEnd } from './endings.ts'

const window = new Window()
vi.stubGlobal('window', window)
vi.stubGlobal('document', window.document)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
// React looks for a document when it is loaded.
const { createRoot } = await import('react-dom/client')

export interface Page {
  readonly text: () => string | null
  readonly click: () => Promise<void>
  /** Shows something else below the same provider. */
  readonly show: (children: ReactNode) => Promise<void>
  readonly unmount: () => Promise<void>
}

/** Shows `children` below a provider, under StrictMode. */
export const renderPage = (client: ChartroomClient, children: ReactNode): Promise<Page> =>
  renderAlone(children, inner => (
    <StrictMode>
      <ChartroomProvider client={client}>{inner}</ChartroomProvider>
    </StrictMode>
  ))

/** Shows `children`, in a frame that stays when others are shown. */
export async function renderAlone(
  children: ReactNode,
  frame: (inner: ReactNode) => ReactNode = inner => inner,
): Promise<Page> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place, { onCaughtError: () => undefined })
  atTestEnd(() => act(async () => root.unmount()))
  const show = (inner: ReactNode) => act(async () => root.render(frame(inner)))
  await show(children)
  return {
    text: () => place.textContent,
    click: () => act(async () => place.querySelector('button')?.click()),
    show,
    unmount: () => act(async () => root.unmount()),
  }
}

/** Waits, with React at work, until `check` passes. */
export const eventually = (check: () => void) =>
  vi.waitFor(async () => {
    await act(() => new Promise(resolve => setImmediate(resolve)))
    check()
  })
