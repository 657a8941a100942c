// First use: open the app, sign in with a demo account, look around.
import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'vitest'
import { appDir } from '../../scripts/app-build.ts'
import { signInSize } from '../../scripts/deploy/initial-size.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('a demo account signs in after a wrong password, and finds every section and the console', async ({
  workbench,
  harbour,
}) => {
  const { page } = workbench
  workbench.watch.allow(/status of 400/)
  const watching = await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('form button[type=submit]')) return
      observer.disconnect()
      performance.mark('form')
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await workbench.open()
  await workbench.signInForm.waitFor()
  // Until the form is shown only what its budget counts is loaded.
  const fetched = await page.evaluate(() => {
    const form = performance.getEntriesByName('form')[0]?.startTime ?? 0
    const before = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < form)
    return before.flatMap(({ name }) => /assets\/[^/]+\.js$/.exec(name) ?? [])
  })
  await watching.dispose()
  expect(fetched.sort()).toEqual((await signInSize(appDir)).files)

  // The password is rejected with a message, and the form stays.
  await workbench.submitSignIn({ ...harbour.account('skipper'), password: 'wrong' })
  await workbench.signInForm.getByRole('alert').waitFor()
  expect(await workbench.sections.isVisible()).toBe(false)
  await workbench.submitSignIn(harbour.account('skipper'))
  await workbench.sections.waitFor()
  for (const section of ['Files', 'Functions', 'Realtime', 'Account', 'Connections', 'Data'] as const) {
    await workbench.goTo(section)
    await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`^/${section.toLowerCase()}`))
  }

  // The console opens below the page.
  const console = await workbench.openConsole()
  await workbench.showActors()
  await console.getByRole('treegrid', { name: 'Actors' }).waitFor()
  expect(await workbench.sections.isVisible()).toBe(true)
})

const CHALLENGE = {
  challenge: 'AAAA',
  rpId: 'localhost',
  userVerification: 'preferred',
  allowCredentials: [],
}
const CREATION = {
  challenge: 'AAAA',
  rp: { id: 'localhost', name: 'harbour' },
  user: { id: 'AAAA', name: 'skipper', displayName: 'Skipper' },
  pubKeyCredParams: [-7, -257].map(alg => ({ type: 'public-key', alg })),
}

test('a passkey signs in where the host supports them, and another is added and removed', async ({
  workbench: { page, sections },
  harbour,
}) => {
  const { email, password } = harbour.account('skipper')
  const { key } = (await (await fetch(`${harbour.url}/_chartroom/config`)).json()) as { key: string }
  const signedIn = await fetch(`${harbour.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const session: unknown = await signedIn.json()
  let keys: readonly object[] = []
  await page.route('**/auth/v1/settings', route =>
    route.fulfill({ json: { external: { email: true }, passkeys_enabled: true } }),
  )
  await page.route(/\/auth\/v1\/passkeys/, route => {
    const request = route.request()
    const [, path = ''] = request.url().split('/v1/passkeys')
    if (request.method() === 'DELETE') keys = []
    if (path === '/registration/verify') keys = [{ id: '7', friendly_name: 'Spare key' }]
    const options = path.startsWith('/registration') ? CREATION : CHALLENGE
    if (path.endsWith('/options')) return route.fulfill({ json: { challenge_id: 'c', options } })
    return route.fulfill({ json: path === '/authentication/verify' ? session : keys })
  })
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  // A passkey belongs to a host name; an IP address is not one.
  await page.goto(harbour.url.replace('127.0.0.1', 'localhost'))
  const enter = page.getByRole('button', { name: 'Sign in with a passkey' })
  await enter.click()
  await page.getByText('No passkey was used').waitFor()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await device.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: {
      credentialId: btoa('key'),
      isResidentCredential: true,
      rpId: 'localhost',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      userHandle: btoa('skipper'),
      signCount: 1,
    },
  })
  await enter.click()
  await sections.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Set up a passkey' }).click()
  await page.getByRole('button', { name: 'Remove Spare key' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).waitFor({ state: 'detached' })
  expect(keys).toEqual([])
  await device.detach()
})
