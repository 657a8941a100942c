// The account page: what it asks the backend for.
import type * as router from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import '../../../harness/by-role.tsx'
import { startClient } from '../../../harness/client.ts'
import { json, KEY, storedSession, URL_BASE } from '../../../harness/fake-backend.ts'
import { eventually, renderPage } from '../../../harness/react.tsx'

vi.mock('../../../../src/ui/app/workspace.tsx', () => ({
  useWorkspace: () => ({ active: { url: URL_BASE, key: KEY } }),
}))
vi.mock('@tanstack/react-router', async original => ({
  ...(await original<typeof router>()),
  useLocation: () => 'security',
  useNavigate: () => () => undefined,
}))
vi.stubGlobal('ResizeObserver', window.ResizeObserver)
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
Object.assign(window, { PublicKeyCredential: true })
const { AccountPage } = await import('../../../../src/ui/app/account/account-page.tsx')

test('the cards of the Security tab ask once for the sign-in methods of the backend', async () => {
  const { client } = startClient(
    { 'GET /auth/v1/user': () => json({ id: 'skipper-id', email: 'skipper@harbour.test' }) },
    { storage: storedSession('first') },
  )
  const settings = { external: { github: true }, passkeys_enabled: true }
  // Not a call of the client: the sign-in page shows the methods before there is one.
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(json(settings)))
  const page = await renderPage(client, <AccountPage />)
  await eventually(() => {
    expect(page.text()).toContain('Set up a passkey')
    expect(page.text()).toContain('Add GitHub')
  })
  expect(fetch).toHaveBeenCalledOnce()
})
