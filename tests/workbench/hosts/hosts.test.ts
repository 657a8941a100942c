// Hosts of the workbench: configured hosts, changes of the list, host checks, and what is removed with a
// host.
import { parse } from 'valibot'
import { describe, expect, it, test, vi } from 'vitest'
import {
  startSurvey,
  surveyState,
  publicKey,
  worthKeeping,
} from '../../../src/services/workbench/hosts/index.ts'
import { isOfHost } from '../../../src/services/workbench/hosts/forget-host.ts'
import { describeClock, summary } from '../../../src/ui/app/connect/survey-panel.tsx'
import {
  connectionsReducer,
  connectionsSchema,
  type Connection,
  type ConnectionsAction,
} from '../../../src/services/workbench/hosts/connections.ts'
import { parseEmbedded, readDeployment } from '../../../src/services/workbench/hosts/deployment.ts'

const connection = (url: string, more: Partial<Connection> = {}): Connection => ({
  id: url,
  name: url,
  url,
  key: 'k',
  embedded: false,
  ...more,
})

const USER = '0f8fad5b-d9cd-469f-a165-70867728950e'
const SECRETS = ['sb_secret_x', 'sbp_x', `e30.${btoa('{"role":"service_role"}')}.sig`]

describe('a secret key', () => {
  it.each(SECRETS)('%s is rejected wherever a host may come from', key => {
    const host = connection('http://a:1', { key })
    const saved = { active: host.id, list: [host, connection('http://b:1')] }
    expect(parse(connectionsSchema, saved)).toEqual({ active: host.id, list: [connection('http://b:1')] })
    expect(parseEmbedded({ name: 'a', url: 'http://a:1', key })).toBeUndefined()
    expect(readDeployment({ hosts: [{ url: 'http://a:1', key }] })).toMatchObject({ ok: false })
  })

  it.each([
    ...SECRETS,
    'postgres://postgres:hunter2',
    'postgresql://postgres:hunter2@db.abcdefghijklmnopqrst.supabase.co:5432/postgres',
    'https://user:hunter2@harbour.test',
  ])('or a password, typed as an address, is not stored: %s', typed => {
    expect(worthKeeping(typed)).toBe('')
  })

  it('is not part of an address, which is stored as typed', () => {
    expect(worthKeeping(' https://supabase.com/dashboard/project/abcdefghijklmnopqrst/editor')).toMatch(
      'editor',
    )
  })
})

it.each<readonly [string, string]>([
  [' sb_publishable_x ', 'sb_publishable_x'],
  ...[...SECRETS, `e30.${btoa('{"role":"authenticated"}')}.sig`, 'hunter2'].map(key => [key, ''] as const),
])('a partly typed key is stored once it is known to be public: %s', (typed, kept) => {
  expect(publicKey(typed)).toBe(kept)
})

describe('the list of hosts', () => {
  const [a, b, c] = [connection('http://a:1'), connection('http://b:1'), connection('http://c:1')]
  const all = { active: a.id, list: [a, b, c] }
  const after = (...actions: ConnectionsAction[]) =>
    actions.reduce(connectionsReducer, all).list.map(({ name }) => name)

  it.each<[string, string[], ConnectionsAction[]]>([
    ['up', ['http://b:1', 'http://a:1', 'http://c:1'], [{ type: 'connection.moved', id: b.id, to: 0 }]],
    ['down', ['http://b:1', 'http://a:1', 'http://c:1'], [{ type: 'connection.moved', id: a.id, to: 1 }]],
    [
      'beyond the end',
      ['http://a:1', 'http://c:1', 'http://b:1'],
      [{ type: 'connection.moved', id: b.id, to: 9 }],
    ],
    ['nowhere', ['http://a:1', 'http://b:1', 'http://c:1'], [{ type: 'connection.moved', id: 'x', to: 0 }]],
    [
      'renamed',
      ['http://a:1', 'port', 'http://c:1'],
      [{ type: 'connection.renamed', id: b.id, name: ' port ' }],
    ],
    [
      'without a name',
      ['http://a:1', 'http://b:1', 'http://c:1'],
      [{ type: 'connection.renamed', id: b.id, name: ' ' }],
    ],
    [
      'restored at its position',
      ['http://a:1', 'http://b:1', 'http://c:1'],
      [
        { type: 'connection.forgotten', id: b.id },
        { type: 'connection.restored', connection: b, at: 1 },
      ],
    ],
  ])('%s', (_name, expected, actions) => {
    expect(after(...actions)).toEqual(expected)
  })

  it('has configured hosts first, one in use, and no longer configured ones as custom', () => {
    const given = connection('http://g:1', { given: true })
    const fresh = connectionsReducer({ active: null, list: [] }, { type: 'hosts.given', hosts: [given] })
    expect(fresh).toEqual({ active: given.id, list: [given] })
    expect(connectionsReducer(fresh, { type: 'hosts.given', hosts: [] })).toEqual({
      active: given.id,
      list: [connection('http://g:1', { given: false })],
    })
  })
})

describe("a deployment's configuration", () => {
  const host = { url: 'https://harbour.example', key: 'sb_publishable_x' }

  it('gives its hosts, as connections, and whether others may be added', () => {
    expect(readDeployment({ hosts: [{ ...host, name: 'Harbour' }], otherHosts: false })).toEqual({
      ok: true,
      deployment: {
        hosts: [
          {
            id: host.url,
            name: 'Harbour',
            url: host.url,
            key: host.key,
            embedded: false,
            given: true,
          },
        ],
        otherHosts: false,
      },
    })
    expect(readDeployment({})).toEqual({ ok: true, deployment: { hosts: [], otherHosts: true } })
  })

  it('a schema file is found on the server of the app', () => {
    const read = readDeployment({ hosts: [{ ...host, schema: 'schemas/harbour.json' }] }, '/chartroom/')
    expect(read.ok && read.deployment.hosts[0]?.schema).toBe('/chartroom/schemas/harbour.json')
  })

  it.each([
    [[], ['the file: must be an object']],
    [{ host: [] }, ['host: is not a known setting']],
    [{ hosts: [{ url: host.url }] }, ['hosts[0].key: is missing']],
    [
      { hosts: [{ ...host, url: `${host.url}/rest/v1` }] },
      ['hosts[0].url: is not a base URL such as https://your-project.supabase.co'],
    ],
    [
      { hosts: [host, { ...host, key: 'sb_secret_x' }] },
      [
        'hosts[1].key: is a secret key, which everyone who opens the page could read. Use the publishable key',
      ],
    ],
    ...['https://elsewhere.example/schema.json', '//elsewhere.example', '../schema.json', '/etc'].map(
      (schema): [unknown, string[]] => [
        { hosts: [{ ...host, schema }] },
        ['hosts[0].schema: is not a path on the server of the app'],
      ],
    ),
    [{ otherHosts: 'no' }, ['otherHosts: must be true or false']],
    [{ otherHosts: false }, ['hosts: is empty, and otherHosts is false: there is nothing to connect to']],
  ])('%j is rejected with the place and the reason', (file, problems) => {
    expect(readDeployment(file)).toEqual({ ok: false, problems })
  })
})

const addressOf = (input: string | URL | Request) => (input instanceof Request ? input.url : input.toString())

/** A socket that opens, or fails. */
const socketThat = (outcome: 'open' | 'error') =>
  class extends EventTarget {
    constructor() {
      super()
      queueMicrotask(() => this.dispatchEvent(new Event(outcome)))
    }
    close() {}
  } as unknown as typeof WebSocket

describe('a host check', () => {
  const host = { url: 'http://127.0.0.1:1', key: 'sb_publishable_x' }
  const answers: Readonly<Record<string, () => Response>> = {
    '/auth/v1/settings': () =>
      Response.json(
        { external: { email: true, github: true, anonymous_users: true }, mailer_autoconfirm: true },
        { headers: { date: new Date(90_000).toUTCString() } },
      ),
    '/auth/v1/health': () => Response.json({ version: 'v2.188.1' }),
    '/rest/v1/': () => Response.json({ message: 'Access to schema is forbidden' }, { status: 401 }),
    '/storage/v1/bucket': () => Response.json([{ id: 'charts' }]),
  }
  const fetch: typeof globalThis.fetch = input =>
    Promise.resolve(
      answers[new URL(addressOf(input)).pathname]?.() ??
        Response.json({ message: 'no Route matched with those values' }, { status: 404 }),
    )
  const ports = { fetch, WebSocket: socketThat('open'), now: () => 5, wall: () => 60_000 }

  it('reports the response of each family, and repeats on request', async () => {
    const survey = startSurvey(host, ports)
    await vi.waitFor(() => expect(surveyState(survey.actor.getSnapshot()).phase).toBe('complete'))
    expect(surveyState(survey.actor.getSnapshot()).reports).toEqual({
      auth: {
        state: 'ok',
        ms: 0,
        skew: 30_500,
        version: 'v2.188.1',
        detail: 'Settings readable.',
        facts: [
          'Sign-up is open to everyone.',
          'Guests can sign in without an account.',
          'Email: yes, without confirmation.',
          'Providers: GitHub.',
        ],
      },
      rest: {
        state: 'closed',
        ms: 0,
        detail: 'Tables are not listed for publishable keys. Open them by name.',
        facts: [],
      },
      storage: { state: 'ok', ms: 0, detail: '1 bucket can be listed without signing in.', facts: [] },
      functions: { state: 'absent', ms: 0, detail: 'This backend has no edge functions (404).', facts: [] },
      realtime: { state: 'ok', ms: 0, detail: 'A WebSocket connected.', facts: [] },
    })
    expect(summary(surveyState(survey.actor.getSnapshot()))).toBe('All OK except Functions')
    expect(describeClock(surveyState(survey.actor.getSnapshot()).reports)).toBe(
      'This device’s clock is 31 s behind the backend’s. Chartroom corrects for it.',
    )
    survey.actor.send({ type: 'survey.retry' })
    expect(summary(surveyState(survey.actor.getSnapshot()))).toBe('0 of 5 checked')
    await vi.waitFor(() => expect(surveyState(survey.actor.getSnapshot()).phase).toBe('complete'))
    survey.actor.stop()
  })

  it('reports failures and timeouts as not responding', async () => {
    const never = () => new Promise<Response>(() => undefined)
    const survey = startSurvey(host, {
      ...ports,
      fetch: input =>
        addressOf(input).includes('/rest/') ? Promise.reject(new TypeError('Failed to fetch')) : never(),
      WebSocket: socketThat('error'),
      deadline: 20,
    })
    await vi.waitFor(() => expect(surveyState(survey.actor.getSnapshot()).phase).toBe('timedOut'))
    const { reports } = surveyState(survey.actor.getSnapshot())
    expect(Object.values(reports).map(({ state }) => state)).toEqual(
      Array.from({ length: 5 }, () => 'noResponse'),
    )
    expect(reports.auth?.detail).toBe('No response within 0 s.')
    expect(summary(surveyState(survey.actor.getSnapshot()))).toBe('Backend unreachable')
    survey.actor.stop()
  })

  it('names the accounts when they reject the key, and not lists that need a sign-in', async () => {
    const refusing = (paths: RegExp) => (input: RequestInfo | URL) =>
      Promise.resolve(Response.json({}, { status: paths.test(addressOf(input)) ? 401 : 200 }))
    const summaryOf = async (paths: RegExp) => {
      const survey = startSurvey(host, { ...ports, fetch: refusing(paths), WebSocket: socketThat('open') })
      await vi.waitFor(() => expect(surveyState(survey.actor.getSnapshot()).phase).toBe('complete'))
      survey.actor.stop()
      return summary(surveyState(survey.actor.getSnapshot()))
    }
    expect(await summaryOf(/\/rest\/|\/storage\//)).not.toContain('Data')
    expect(await summaryOf(/\/auth\//)).toMatch(/^All OK except Accounts/)
  })

  it('of a rate-limited host reports that for each family, and not as an invalid host', async () => {
    const limited = () => Promise.resolve(Response.json({ message: 'slow' }, { status: 429 }))
    const survey = startSurvey(host, { ...ports, fetch: limited, WebSocket: socketThat('error') })
    await vi.waitFor(() => expect(surveyState(survey.actor.getSnapshot()).phase).toBe('complete'))
    const detail = 'Too many requests (429). Rerun in a moment.'
    const { realtime, ...others } = surveyState(survey.actor.getSnapshot()).reports
    expect(Object.values(others)).toEqual(
      Array.from({ length: 4 }, () => ({ state: 'unhealthy', ms: 0, detail, facts: [] })),
    )
    expect(realtime?.state).toBe('noResponse')
    expect(summary(surveyState(survey.actor.getSnapshot()))).toBe('No service is healthy')
    survey.actor.stop()
  })
})

test.each([
  ['chartroom.session.http://a:1', true],
  ['chartroom.session.http://a:1#account-2', true],
  ['chartroom.session.http://a:1-code-verifier', true],
  ['chartroom.session.http://a:15', false],
  ['chartroom.ui.accounts.http://a:1', true],
  ['chartroom.ui.accounts.http://b:1', false],
  ['chartroom.ui.functions.draft.http://a:1.', true],
  [`chartroom.ui.functions.history.http://a:1.${USER}`, true],
  [`chartroom.ui.drafts.http://a:1.${USER}.public.log`, true],
  ['chartroom.ui.new.http://a:1.anonymous.log', true],
  [`chartroom.ui.drafts.http://a:1.uk.${USER}.public.log`, false],
  [`chartroom.ui.draft.rows.http://a:1.${USER}.["public","vessels"]`, true],
  [`chartroom.ui.draft.bucket.http://a:1.anonymous.[]`, true],
  [`chartroom.ui.draft.topic.http://a:12.${USER}.["http://a:1"]`, false],
  ['chartroom.ui.theme', false],
  ['other.http://a:1', false],
])('whether %s is removed with the host http://a:1: %s', (key, expected) => {
  expect(isOfHost(key, 'http://a:1')).toBe(expected)
})
