// A tab in which users sign in, lose their sessions and return, with a page for the signed-in user.
import { act, useState, type ReactNode } from 'react'
import { beforeEach, expect, vi } from 'vitest'
import { dialogs, press, renderWork } from './by-role.tsx'
import { credentials, startClient } from './client.ts'
import { json, sessionBody, type Answer } from './fake-backend.ts'
import { eventually } from './react.tsx'

export const stored = new Map<string, string>()
let isFull = false
/** From now on the tab's storage rejects writes. */
export const fill = () => void (isFull = true)

beforeEach(() => {
  isFull = false
  stored.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, text)
    },
    removeItem: (key: string) => stored.delete(key),
  })
})

const gone: Answer = () =>
  json({ code: 'refresh_token_not_found', message: 'Invalid Refresh Token: Refresh Token Not Found' }, 400)
const signInAs: Answer = ({ body }) => {
  const { email } = JSON.parse(body) as { email: string }
  return json({ ...sessionBody('first'), user: { id: `${email}-id`, email, aud: 'authenticated' } })
}

/** The page for the signed-in user. */
export async function open(page: ReactNode, routes: Readonly<Record<string, Answer>> = {}) {
  const { client, requests } = startClient({
    'POST /auth/v1/token?grant_type=password': signInAs,
    'POST /auth/v1/token?grant_type=refresh_token': gone,
    ...routes,
  })
  const shown = await renderWork(client, page)
  const comesBack = async (email: string) => {
    await act(() => client.auth.signInWithPassword({ ...credentials, email }).then(() => undefined))
    await eventually(() => expect(shown.text()).not.toContain('Sign in'))
  }
  const losesSession = async () => {
    await act(() => client.auth.refresh().then(() => undefined))
    await eventually(() => expect(shown.text()).toBe('Sign in'))
    expect(dialogs()).toEqual([])
  }
  await comesBack('skipper')
  return { requests, comesBack, losesSession, ...shown }
}

/** Another user uses the tab in between. */
export async function passes(work: Awaited<ReturnType<typeof open>>, other: () => Promise<void>) {
  await work.losesSession()
  await work.comesBack('mate')
  await other()
  await work.losesSession()
  await work.comesBack('skipper')
}

const ASKS = 'Ask for it'

/** Opened by a button, and can be closed again. */
export function OnAsk({
  children,
}: {
  readonly children: (isOpen: boolean, close: () => void) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {ASKS}
      </button>
      {children(isOpen, () => setOpen(false))}
    </>
  )
}

export async function asks(): Promise<void> {
  await eventually(() => expect(document.body.textContent).toContain(ASKS))
  await press(ASKS)
}
