// Rows about requests and the page that contains the client.
import type { Row } from './row.ts'
import type { Opened } from './scene.ts'
import { countSeconds, pause, settles, until } from './time.ts'

const FOREIGN = 'EAAB-a-token-of-another-provider'

/** The client's reason: the result of `initialize`, or the status. */
async function whyLinkFailed({ supabase, mine }: Opened): Promise<string> {
  await settles(supabase.auth.getSession(), 2_000)
  const { error } = await supabase.auth.initialize()
  const session = mine?.status().session
  const failure = session && 'linkFailure' in session ? session.linkFailure : undefined
  const code = error && 'code' in error ? error.code : failure?.code
  return typeof code === 'string' ? code : (error?.name ?? 'nothing')
}

export const pageRows: readonly Row[] = [
  {
    number: 11,
    title: 'JWT expired at the boundary',
    done: 'the server considers the token of one read expired',
    async live(scene, app) {
      await app.keep(3_000)
      const { supabase } = app.open()
      await supabase.auth.getSession()
      scene.given({ id: 'tide', when: { family: 'rest', nth: 1 }, do: { token: 'expired' } })
      const { status } = await supabase.from('vessels').select('id')
      return { status }
    },
    format: ({ status }) => `the app gets ${status}`,
    isWell: ({ status }) => status === 200,
  },
  {
    number: 12,
    title: 'Being back online goes unnoticed',
    done: 'offline until the refresh was given up, then online again',
    async live(scene, app) {
      await app.keep(60)
      scene.given({ id: 'gone', when: { family: 'auth' }, do: { lost: 'request' } })
      scene.hasten()
      const { supabase, events } = app.open()
      void supabase.auth.getSession()
      await until(() => app.refreshes() > 0)
      app.page.connect(false)
      await pause(800)
      scene.clearFaults()
      const seconds = countSeconds()
      app.page.connect(true)
      await until(() => events.includes('TOKEN_REFRESHED'), 5_000)
      return { isSoon: seconds() < 15, renewed: events.includes('TOKEN_REFRESHED') }
    },
    format: ({ isSoon, renewed }) =>
      renewed
        ? isSoon
          ? 'the token is refreshed at once'
          : 'the token is refreshed late, by the next check after a pause'
        : 'the token is not refreshed',
    isWell: ({ isSoon, renewed }) => isSoon === true && renewed === true,
  },
  {
    number: 13,
    title: "Another provider's hash in the address",
    done: "the page opens with another service's access token in its hash",
    async live(_, app) {
      const hash = `#access_token=${FOREIGN}&refresh_token=theirs&expires_in=3600&token_type=bearer`
      app.page.go(`http://app.test/${hash}`)
      await app.keep(3_000)
      const { supabase } = app.open()
      await settles(supabase.auth.getSession(), 2_000)
      const leaked = app.asked.some(({ bearer }) => bearer === FOREIGN)
      return { leaked, hash: app.page.href().endsWith(hash) ? 'kept' : 'taken' }
    },
    format: ({ leaked, hash }) =>
      `${leaked ? 'the foreign token is sent to our server' : 'no foreign token is sent'}; the hash is ${hash}`,
    isWell: ({ leaked, hash }) => leaked === false && hash === 'kept',
  },
  {
    number: 13,
    title: 'A code whose verifier is in another browser',
    done: 'the link of a PKCE sign-in is opened in a browser that did not start it',
    async live(_, app) {
      app.page.go('http://app.test/?code=8f0e8a3a-3bb6-4f0e-9a34-6b0f5dd0b1c2')
      return { reported: await whyLinkFailed(app.open({ flowType: 'pkce' })) }
    },
    format: ({ reported }) => `the app gets ${reported}`,
    isWell: ({ reported }) => reported !== 'nothing',
  },
  {
    number: 14,
    title: 'A phantom client keeps refreshing',
    done: 'created twice, as StrictMode does, and one is dropped; then the token is due',
    async live(_, app) {
      await app.keep(60)
      const clients = [app.open(), app.open()]
      await Promise.all(clients.map(({ supabase }) => supabase.auth.getSession()))
      await until(() => app.refreshes() > 0)
      await pause(150)
      return { refreshes: app.refreshes() }
    },
    format: ({ refreshes }) => `calls to refresh one token: ${refreshes}`,
    isWell: ({ refreshes }) => refreshes === 1,
  },
  {
    number: 14,
    title: 'A disposed client keeps writing',
    done: 'disposed during a refresh, which then succeeds',
    async live(scene, app) {
      await app.keep(3_000)
      const { supabase, dispose } = app.open()
      await supabase.auth.getSession()
      scene.given({ id: 'late', when: { path: '/auth/v1/token' }, do: { hold: 'response' } })
      const before = app.stored()
      void Promise.resolve(supabase.auth.refreshSession()).catch(() => undefined)
      await until(() => scene.backend.faults.heldRequests().length > 0)
      await dispose()
      for (const { id } of scene.backend.faults.heldRequests()) scene.backend.faults.release(id)
      await pause(120)
      return { wrote: app.stored() !== before }
    },
    format: ({ wrote }) => (wrote ? 'it writes a session to the storage' : 'it writes nothing'),
    isWell: ({ wrote }) => wrote === false,
  },
]
