// Rows about the socket and its channels.
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js'
import type { App, Opened, Scene } from './scene.ts'
import type { Row } from './row.ts'
import { countSeconds, pause, until } from './time.ts'

const ROWS = { event: '*', schema: 'public', table: 'log_entries' } as const

/** Subscribes and collects the reported statuses. */
function subscribed(supabase: SupabaseClient, topic: string, isPrivate = false) {
  const reported: string[] = []
  const channel = supabase.channel(topic, { config: { private: isPrivate } })
  channel.subscribe(status => void reported.push(status))
  return { channel, reported }
}

/** A channel that is joined as the user. */
async function joined(app: App): Promise<Opened & { channel: RealtimeChannel; reported: string[] }> {
  await app.keep(3_000)
  const opened = app.open()
  await opened.supabase.auth.getSession()
  await opened.supabase.realtime.setAuth()
  const { channel, reported } = subscribed(opened.supabase, 'bridge')
  await until(() => reported.includes('SUBSCRIBED'))
  return { ...opened, channel, reported }
}

/** Inserts a row as the user from another client. */
async function insert({ backend }: Scene, app: App, note: string): Promise<void> {
  const session = JSON.parse(app.stored() ?? '{}') as { access_token?: string }
  const { ok, status } = await fetch(`${backend.url}/rest/v1/log_entries`, {
    method: 'POST',
    headers: {
      apikey: backend.publishableKey,
      authorization: `Bearer ${session.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ note }),
  })
  if (!ok) throw new Error(`The insert failed with status ${status}.`)
}

export const realtimeRows: readonly Row[] = [
  {
    number: 15,
    title: 'Joined without the token',
    done: '`subscribe()` right after the client was created, with a stored session',
    async live(_, app) {
      await app.keep(3_000)
      const { supabase } = app.open()
      const { reported } = subscribed(supabase, 'bridge')
      await until(() => reported.includes('SUBSCRIBED'))
      return { joinedAs: app.joins[0] ?? 'nobody', reported: reported[0] ?? 'nothing' }
    },
    format: ({ joinedAs, reported }) =>
      `joins with the ${joinedAs === 'user' ? "user's token" : 'API key alone'}, ${reported}`,
    isWell: ({ joinedAs }) => joinedAs === 'user',
  },
  {
    number: 16,
    title: 'A dead socket after waking up',
    done: 'the connection is dead while the tab is hidden; then the tab becomes visible',
    async live(scene, app) {
      scene.hasten()
      await joined(app)
      scene.given(
        { id: 'deaf', when: { event: 'frame.out' }, do: { drop: true } },
        { id: 'dead', when: { event: 'heartbeat' }, do: { drop: true } },
      )
      app.page.show(false)
      await pause(20)
      const seconds = countSeconds()
      app.page.show(true)
      await until(() => app.sockets() > 1, 5_000)
      return { sockets: app.sockets(), isSoon: seconds() < 20 }
    },
    format: ({ sockets, isSoon }) =>
      sockets === 1
        ? 'not detected'
        : isSoon
          ? 'detected at once by a probe'
          : 'detected later, by heartbeats',
    isWell: ({ isSoon }) => isSoon === true,
  },
  {
    number: 17,
    title: 'An expired channel is closed permanently',
    done: 'the token expires on the server, which closes the channel',
    async live(scene, app) {
      const { reported } = await joined(app)
      scene.given({ id: 'slept', do: { clock: 3_700_000 } })
      await until(() => reported.length > 1)
      // By the shifted clock, new tokens of another auth server have expired, too.
      scene.clearFaults()
      const joins = () => reported.filter(status => status === 'SUBSCRIBED').length
      await until(() => joins() > 1, 2_500)
      return { joins: joins(), last: reported.at(-1) ?? 'nothing' }
    },
    format: ({ joins, last }) =>
      `${joins === 1 ? 'not rejoined' : 'rejoined with a new token'}, last status ${last}`,
    isWell: ({ joins }) => Number(joins) > 1,
  },
  {
    number: 18,
    title: 'A refused channel is retried forever',
    done: 'a private channel that the server refuses, observed for a minute',
    async live(scene, app) {
      const { supabase } = app.open()
      await supabase.auth.getSession()
      scene.hasten()
      const { reported } = subscribed(supabase, 'bridge', true)
      await until(() => reported.length > 0)
      await pause(1_200)
      return { isOnce: app.joins.length === 1, reported: reported[0] ?? 'nothing' }
    },
    format: ({ isOnce, reported }) =>
      `${reported}, and ${isOnce ? 'not retried' : 'retried again and again'}`,
    isWell: ({ isOnce }) => isOnce === true,
  },
  {
    number: 19,
    title: 'Changes are missed in a gap',
    done: 'the socket breaks, a row is inserted, the socket reconnects',
    async live(scene, app) {
      await app.keep(3_000)
      const { supabase, mine } = app.open()
      await supabase.auth.getSession()
      await supabase.realtime.setAuth()
      scene.hasten()
      const seen: string[] = []
      let live = 0
      const isLive = () => void (live += 1)
      if (mine) {
        const channel = mine.channel('rows', {
          postgresChanges: [ROWS],
          resync: () => Promise.resolve(seen.push('resync')),
        })
        channel.on('change', () => seen.push('change'))
        channel.on('status', ({ postgres }) => postgres === 'live' && isLive())
      } else {
        const channel = supabase.channel('rows').on('postgres_changes', ROWS, () => void seen.push('change'))
        channel.on('system', {}, isLive)
        channel.subscribe()
      }
      await until(() => live > 0)
      await until(() => !mine || seen.length > 0)
      seen.length = 0
      scene.given(
        { id: 'shut', when: { event: 'upgrade' }, do: { status: 503 } },
        { id: 'cut', when: { event: 'open' }, do: { close: 'abrupt' }, times: 1 },
      )
      await insert(scene, app, 'While away')
      scene.clearFaults()
      await until(() => live > 1)
      await until(() => seen.length > 0, 300)
      return { reported: seen[0] ?? 'nothing' }
    },
    format: ({ reported }) =>
      reported === 'nothing'
        ? 'the row is missed without notice'
        : `the app is notified to reload (${reported})`,
    isWell: ({ reported }) => reported !== 'nothing',
  },
  {
    number: 20,
    title: 'A second subscribe is dropped',
    done: 'a second part of the app subscribes to a topic that is in use',
    async live(_, app) {
      const { supabase, channel } = await joined(app)
      const second: string[] = []
      const again = supabase.channel('bridge')
      try {
        again.subscribe(status => void second.push(status))
      } catch {
        second.push('it throws')
      }
      await until(() => second.length > 0, 600)
      return { isSame: again === channel, reported: second[0] ?? 'nothing' }
    },
    format: ({ reported }) => `the second gets ${reported}`,
    isWell: ({ reported }) => reported === 'SUBSCRIBED',
  },
]
