// A backend that becomes unreachable and returns, tokens that expire, and everything else that may fail.
import { describe, expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour({ data: 'disk', tokenSeconds: 24 })

// Restarts for the next test what a failed test stopped.
test.afterEach(({ harbour }) => harbour.start())

/** What Chromium itself reports when a request fails or is rejected. */
const NETWORK = [/Failed to load resource/, /WebSocket connection/, /ERR_CONNECTION_REFUSED/]

describe('a session', () => {
  test('survives a restart of the backend: shown, kept, live again automatically', async ({
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
  })

  test('is refreshed on schedule, and the console shows it', async ({ harbour, workbench }) => {
    await workbench.openAs(harbour.account('mate'))
    await workbench.openConsole()
    await workbench.showActors()
    await workbench.console.getByRole('row', { name: /^refresh/ }).click()
    await workbench.filterLog('refresh.succeeded')
    await workbench.logRow('refresh.succeeded').first().waitFor({ timeout: 40_000 })
    await workbench.filterLog('token.rotated')
    await workbench.logRow('token.rotated').first().waitFor()
    await expect.poll(() => workbench.console.getByRole('img', { name: /refresh/ }).count()).toBe(1)
  })

  test('survives a reload', async ({ harbour, workbench }) => {
    await workbench.signInAs(harbour.account('skipper'))
    await workbench.page.reload()
    await workbench.sections.waitFor()
    expect(await workbench.signInForm.isVisible()).toBe(false)
  })
})

describe('signing in', () => {
  test('a wrong password is reported in place, and typed text stays', async ({ harbour, workbench }) => {
    workbench.watch.allow(...NETWORK)
    await workbench.open()
    const { email } = harbour.account('skipper')
    await workbench.submitSignIn({ email, password: 'landlubber' })
    await workbench.page.getByText(/Wrong email or password/).waitFor()
    expect(await workbench.signInForm.getByLabel('Email').inputValue()).toBe(email)
    expect(new URL(workbench.page.url()).search).toBe('')
  })

  test('a stopped backend is reported plainly, and signing in works once it is back', async ({
    harbour,
    workbench,
  }) => {
    workbench.watch.allow(...NETWORK)
    await workbench.open()
    await workbench.signInForm.waitFor()
    await harbour.stop()
    await workbench.submitSignIn(harbour.account('skipper'))
    await workbench.page
      .getByText(/is not responding/)
      .first()
      .waitFor()
    await harbour.start()
    await workbench.submitSignIn(harbour.account('skipper'))
    await workbench.sections.waitFor()
  })
})

describe('a stored session', () => {
  test.for<readonly [string, string]>([
    ['truncated', '{"access_token":'],
    ['something else', '"ahoy"'],
  ])('that is %s: signed out, with the reason', async ([, text], { harbour, workbench }) => {
    const key = `chartroom.session.${harbour.url}`
    const storing = await workbench.page.addInitScript(([name, value]) => localStorage.setItem(name, value), [
      key,
      text,
    ] as const)
    await workbench.open()
    await storing.dispose()
    await workbench.page.getByText(/stored session could not be read/).waitFor()
    await workbench.submitSignIn(harbour.account('skipper'))
    await workbench.sections.waitFor()
  })

  test('that the server no longer accepts: signed out with the reason, not silently anonymous', async ({
    harbour,
    workbench,
  }) => {
    workbench.watch.allow(...NETWORK)
    await workbench.openAs(harbour.account('skipper'))
    const key = `chartroom.session.${harbour.url}`
    await workbench.page.evaluate(name => {
      const session = JSON.parse(localStorage.getItem(name) ?? '') as object
      const expired = { ...session, refresh_token: 'of-no-use-any-more', received_at: 0 }
      localStorage.setItem(name, JSON.stringify(expired))
    }, key)
    await workbench.page.reload()
    await workbench.signInForm.waitFor()
    await workbench.page.getByText(/session was revoked|was ended/).waitFor()
  })
})

describe('connecting', () => {
  test.for([
    ['not an address', 'harbour', 'sb_publishable_x', /not a web address/],
    ['nothing there', 'http://127.0.0.1:9', 'sb_publishable_x', /does not respond/],
    ['a secret key', 'EMBEDDED', 'sb_secret_0123456789', /secret/],
    ['a key of another project', 'EMBEDDED', 'sb_publishable_of_another_project', /rejected this key/],
  ] as const)(
    '%s: reported at the field, nothing is lost',
    async ([, url, key, words], { harbour, workbench }) => {
      workbench.watch.allow(...NETWORK, /ERR_/)
      await workbench.open()
      await workbench.page.getByRole('button', { name: 'Connect to another backend' }).click()
      const form = workbench.page.getByRole('form', { name: 'Connect to a backend' })
      const address = url === 'EMBEDDED' ? harbour.url : url
      await form.getByLabel('URL').fill(address)
      await form.getByLabel('Publishable key').fill(key)
      await form.getByRole('button', { name: 'Connect' }).click()
      await form.getByText(words).first().waitFor()
      expect(await form.getByLabel('URL').inputValue()).toBe(address)
    },
  )
})
