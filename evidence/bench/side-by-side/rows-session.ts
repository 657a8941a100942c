// Rows about sessions and token refresh.
import type { Row } from './row.ts'
import { skipperOf, type App, type Scene } from './scene.ts'
import { pause, settles, until } from './time.ts'

const keptOrWiped = (facts: { readonly [name: string]: unknown }) =>
  facts['kept'] ? 'the session is kept' : 'the session is wiped'
const isKept: Row['isWell'] = ({ kept }) => kept === true
const TOKEN = '/auth/v1/token'
const TAKES_PART = 250
/** How long a used refresh token may be used again: the auth server's default. */
const REUSE_SECONDS = 10

/** Uses the stored refresh token, and its successor, and lets the time pass in which it may be used again. */
async function spendElsewhere(scene: Scene, app: App): Promise<void> {
  const { url, publishableKey: apikey } = scene.backend
  let session = JSON.parse(app.stored() ?? '{}') as { refresh_token?: string }
  for (let use = 0; use < 2; use += 1) {
    const response = await fetch(`${url}${TOKEN}?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: session.refresh_token }),
    })
    session = (await response.json()) as typeof session
  }
  await scene.passTime(REUSE_SECONDS + 1)
}

export const sessionRows: readonly Row[] = [
  {
    number: 1,
    title: 'Deadlock in onAuthStateChange',
    done: '`refreshSession()` is awaited inside TOKEN_REFRESHED',
    async live(_, app) {
      await app.keep(3_000)
      const { supabase } = app.open()
      let isInside = false
      supabase.auth.onAuthStateChange(async event => {
        if (event !== 'TOKEN_REFRESHED' || isInside) return
        isInside = true
        await supabase.auth.refreshSession()
      })
      await supabase.auth.getSession()
      return { answers: await settles(supabase.auth.refreshSession(), 1_000) }
    },
    format: ({ answers }) => (answers ? 'the call returns' : 'the call never returns'),
    isWell: ({ answers }) => answers === true,
  },
  {
    number: 2,
    title: 'Everything hangs on an orphaned lock',
    done: "another page crashed while holding the session's locks",
    async live(scene, app) {
      await app.keep(3_000)
      const locks = ['lock:harbour-session', 'harbour-session:refresh']
      const orphans = locks.map(name => navigator.locks.request(name, () => new Promise<never>(() => {})))
      for (const orphan of orphans) orphan.catch(() => undefined)
      scene.hasten()
      const { supabase } = app.open()
      await supabase.auth.getSession()
      const answers = await settles(supabase.auth.refreshSession(), 3_000)
      for (const name of locks) await navigator.locks.request(name, { steal: true }, () => undefined)
      return { answers, refreshes: app.refreshes() }
    },
    format: ({ answers, refreshes }) =>
      answers ? `the token is refreshed, calls: ${refreshes}` : 'the call never returns',
    isWell: ({ answers }) => answers === true,
  },
  {
    number: 3,
    title: 'Tabs race for one refresh token',
    done: 'four tabs request a new token at once',
    async live(_, app) {
      await app.keep(3_000)
      const tabs = [app.open(), app.open(), app.open(), app.open()]
      await Promise.all(tabs.map(({ supabase }) => supabase.auth.getSession()))
      const answers = await Promise.all(tabs.map(({ supabase }) => supabase.auth.refreshSession()))
      return { refreshes: app.refreshes(), refused: answers.filter(({ error }) => error).length }
    },
    format: ({ refreshes, refused }) =>
      `calls for one rotation: ${refreshes}; tabs with an error: ${refused}`,
    isWell: ({ refreshes, refused }) => refreshes === 1 && refused === 0,
  },
  {
    number: 4,
    title: 'A 429 signs the user out',
    done: 'the token has expired and its refresh returns 429',
    async live(scene, app) {
      await app.keep(-5)
      scene.given({ id: 'limit', when: { path: TOKEN }, do: { code: 'over_request_rate_limit' } })
      const { supabase } = app.open()
      const asked = supabase.auth.getSession()
      await until(() => app.refreshes() > 0)
      await settles(asked, TAKES_PART)
      return { kept: app.stored() !== null }
    },
    format: keptOrWiped,
    isWell: isKept,
  },
  {
    number: 5,
    title: 'Offline with an expired token',
    done: 'the token has expired, auth is unreachable, and rows are read',
    async live(scene, app) {
      await app.keep(-5)
      scene.given({ id: 'gone', when: { family: 'auth' }, do: { lost: 'request' } })
      scene.hasten()
      const { supabase } = app.open()
      const since = Date.now()
      const answer = supabase.from('log_entries').select('id')
      await settles(answer, 6_000)
      const isLong = Date.now() - since > 10_000
      const sent = app.asked.find(({ call }) => call.includes('/rest/v1/'))
      return { isLong, sentAs: sent?.as ?? 'nobody' }
    },
    format: ({ isLong, sentAs }) =>
      `${sentAs === 'nobody' ? 'never sent' : 'sent with the API key alone, which reads no rows'}, after ${isLong ? 'tens of seconds' : 'a moment'}`,
    isWell: ({ sentAs }) => sentAs === 'nobody',
  },
  {
    number: 6,
    title: 'A clock that is an hour fast',
    done: 'the device clock is an hour fast; the session is requested four times',
    async live(scene, app) {
      scene.shiftDevice(3_700_000)
      const { supabase } = app.open()
      await supabase.auth.signInWithPassword(skipperOf(scene))
      for (let n = 0; n < 4; n += 1) await supabase.auth.getSession()
      return { refreshes: app.refreshes() }
    },
    format: ({ refreshes }) => `refreshes of fresh tokens: ${refreshes}`,
    isWell: ({ refreshes }) => refreshes === 0,
  },
  {
    number: 7,
    title: 'SIGNED_IN on every focus',
    done: 'the tab is hidden and shown again three times',
    async live(_, app) {
      await app.keep(3_000)
      const { supabase, events } = app.open()
      await supabase.auth.getSession()
      await until(() => events.length > 0)
      await pause(30)
      events.length = 0
      for (const isVisible of [false, true, false, true, false, true]) {
        app.page.show(isVisible)
        await pause(20)
      }
      return { events: events.filter(event => event === 'SIGNED_IN').length }
    },
    format: ({ events }) => `SIGNED_IN is emitted ${events} times`,
    isWell: ({ events }) => events === 0,
  },
  {
    number: 8,
    title: "A proxy's refusal signs the user out",
    done: 'the token has expired and a proxy answers its refresh with 403',
    async live(scene, app) {
      await app.keep(-5)
      scene.given({ id: 'proxy', when: { path: TOKEN }, do: { status: 403, message: 'Blocked on the way' } })
      const { supabase } = app.open()
      const asked = supabase.auth.getSession()
      await until(() => app.refreshes() > 0)
      await settles(asked, TAKES_PART)
      return { kept: app.stored() !== null }
    },
    format: keptOrWiped,
    isWell: isKept,
  },
  {
    number: 9,
    title: 'Signed out without a reason',
    done: 'its refresh token was used elsewhere',
    async live(scene, app) {
      await app.keep(-5)
      await spendElsewhere(scene, app)
      const { supabase, mine, events } = app.open()
      await settles(supabase.auth.getSession(), 2_000)
      await until(() => events.includes('SIGNED_OUT'))
      const session = mine?.status().session
      const reason = session?.phase === 'signedOut' ? session.reason : 'none'
      return { event: events.includes('SIGNED_OUT'), reason }
    },
    format: ({ event, reason }) =>
      `${event ? 'SIGNED_OUT is emitted' : 'no event is emitted'}, reason: ${reason}`,
    isWell: ({ reason }) => reason !== 'none' && reason !== 'never',
  },
  {
    number: 10,
    title: 'Signing out fails while offline',
    done: '`signOut()` while the backend is unreachable',
    async live(scene, app) {
      await app.keep(3_000)
      const { supabase } = app.open()
      await supabase.auth.getSession()
      scene.given({ story: 'offline' })
      const answer = await supabase.auth.signOut()
      return { signedOut: app.stored() === null, error: answer.error?.name ?? 'none' }
    },
    format: ({ signedOut, error }) => `${signedOut ? 'signed out here' : 'still signed in'}; error: ${error}`,
    isWell: ({ signedOut }) => signedOut === true,
  },
]
