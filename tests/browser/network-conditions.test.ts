// A backend that becomes unreachable and returns while tokens expire, and what else may fail before a session.
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour({ data: 'disk', tokenSeconds: 12 })

// Restarts for the next test what a failed test stopped.
test.afterEach(({ harbour }) => harbour.start())

/** What Chromium itself reports when a request fails or is rejected. */
const NETWORK = [/Failed to load resource/, /WebSocket connection/, /ERR_/]

test('a session survives a restart of the backend, is refreshed on schedule, and survives a reload', async ({
  harbour,
  workbench,
}) => {
  workbench.watch.allow(...NETWORK)
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  await workbench.joinBridge()
  await workbench.present('skipper').waitFor()
  await harbour.stop()
  await expect.poll(() => workbench.connection.innerText()).toBe('Realtime: unreachable')
  expect(await workbench.signInForm.isVisible()).toBe(false)
  await harbour.start()
  await expect.poll(() => workbench.connection.innerText(), { timeout: 45_000 }).toMatch(/connected/i)
  await workbench.present('skipper').waitFor()
  await workbench.goTo('Data')
  await workbench.rows.first().waitFor()

  await workbench.openConsole()
  await workbench.showActors()
  await workbench.console.getByRole('row', { name: /^refresh,/ }).click()
  await workbench.filterLog('refresh.succeeded')
  await workbench.logRow('refresh.succeeded').first().waitFor()
  await workbench.filterLog('token.rotated')
  await workbench.logRow('token.rotated').first().waitFor()
  await expect.poll(() => workbench.console.getByRole('img', { name: /refresh/ }).count()).toBe(1)

  await workbench.page.reload()
  await workbench.sections.waitFor()
  expect(await workbench.signInForm.isVisible()).toBe(false)
})

test('a session that is of no use is named, a failed sign-in keeps what was typed, and a later one works', async ({
  harbour,
  workbench,
}) => {
  const { page, signInForm } = workbench
  workbench.watch.allow(...NETWORK)
  const { email, password } = harbour.account('skipper')
  const key = `chartroom.session.${harbour.url}`
  const loadWith = async (text: string) => {
    const storing = await page.addInitScript(([name, value]) => localStorage.setItem(name, value), [
      key,
      text,
    ] as const)
    await workbench.open()
    await storing.dispose()
  }
  // The server does not accept it: signed out, not silently anonymous.
  const user = { id: '00000000-0000-4000-8000-000000000001', email, aud: 'authenticated' }
  const claims = Buffer.from(JSON.stringify({ sub: user.id, aal: 'aal1', exp: 1_700_000_000 }))
  const session = {
    access_token: `e30.${claims.toString('base64url')}.c2ln`,
    refresh_token: 'of-no-use-any-more',
    token_type: 'bearer',
    expires_in: 3_600,
    expires_at: 1_700_000_000,
    received_at: 0,
    user,
  }
  await loadWith(JSON.stringify(session))
  await signInForm.waitFor()
  await page.getByText(/session was revoked|was ended/).waitFor()
  await loadWith('{"access_token":')
  await page
    .getByText(/stored session could not be read/)
    .first()
    .waitFor()

  await workbench.submitSignIn({ email, password: 'landlubber' })
  await page.getByText(/Wrong email or password/).waitFor()
  expect(await signInForm.getByLabel('Email').inputValue()).toBe(email)
  expect(new URL(page.url()).search).toBe('')

  await harbour.stop()
  await workbench.submitSignIn({ email, password })
  await page
    .getByText(/is not responding/)
    .first()
    .waitFor()
  await harbour.start()
  await workbench.submitSignIn({ email, password })
  await workbench.sections.waitFor()
})

test('what is no backend, or no key of it, is reported at the field, and nothing is lost', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  workbench.watch.allow(...NETWORK)
  await workbench.open()
  await page.getByRole('button', { name: 'Connect to another backend' }).click()
  const form = page.getByRole('form', { name: 'Connect to a backend' })
  for (const [url, key, words] of [
    ['harbour', 'sb_publishable_x', /not a web address/],
    ['http://127.0.0.1:9', 'sb_publishable_x', /does not respond/],
    [harbour.url, 'sb_secret_0123456789', /secret/],
    [harbour.url, 'sb_publishable_of_another_project', /rejected this key/],
  ] as const) {
    await form.getByLabel('URL').fill(url)
    await form.getByLabel('Publishable key').fill(key)
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByText(words).first().waitFor()
    expect(await form.getByLabel('URL').inputValue()).toBe(url)
  }
})
