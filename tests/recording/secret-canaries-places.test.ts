// A hundred kinds of secrets through the inputs of a client: none appears where something is stored or shown.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RecordedClient } from '../../src/public/index.ts'
import { redactCommand } from '../../src/cli/redact.ts'
import { createFileStore } from '../../src/public/devtools/node.ts'
import { StoreEngine } from '../../src/services/recording/store/store-engine.ts'
import { createStore } from '../../src/services/recording/store/store.ts'
import {
  encodeValue,
  EXPORT_FORMATS,
  exportTrace,
  vitestTest,
  type TraceSource,
  LiveFeed,
} from '../../src/trace/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { textOfValue } from '../../src/trace/query/compile.ts'
import { stepsAsCode } from '../../src/ui/console/checks/steps-as-code.ts'
import { stepsAsText, describeSteps } from '../../src/ui/console/checks/described-steps.ts'
import { previewOf } from '../../src/ui/console/model/details.ts'
import { curlOf, fetchOf } from '../../src/ui/console/network/network-contents.ts'
import { networkRows } from '../../src/ui/console/network/network-rows.ts'
import { storyOf } from '../../src/ui/console/network/request-story.ts'
import { describeEffect } from '../../src/ui/console/state/cause-chain.ts'
import { describe as describeValue, membersOf } from '../../src/ui/console/state/json-nodes.ts'
import { jsonPatch } from '../../src/ui/console/state/diff-walk.ts'
import { snapshotOf } from '../../src/ui/console/state/state-path.ts'
import { CANARY, FORMATS, INPUTS, NAMES, named } from '../harness/canaries.ts'
import { JSON_SHAPES } from '../harness/form-shapes.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { ran } from '../harness/command.ts'
import { json, sessionBody, type Answer } from '../harness/fake-backend.ts'
import { fakeSockets, type FakeSocket } from '../harness/fake-socket.ts'
import { createMemoryStorage } from '../harness/memory-storage.ts'
import { foreignTrace } from '../harness/inspected.ts'
import { actorEntries, traceSource, stepRecords } from '../ui/console-trace.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-canary-places-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A one-time code has no letters that could identify a canary. */
const CODE = '48213907'
const SECRET = new RegExp(`${CANARY.source}|${CODE}`, 'i')

/** Every name in one of the forms that travel as JSON, and every format. */
const FORMS = Object.entries(INPUTS).filter(([kind]) => kind !== 'map' && kind !== 'url' && kind !== 'header')
const EVERYTHING = {
  named: NAMES.map((name, at) => FORMS[at % FORMS.length]?.[1](name)),
  byForm: FORMATS,
  forms: JSON_SHAPES.map((shape, at) => shape(NAMES[at % NAMES.length] ?? '', 'c4nary-Typed-1')),
  inSentences: FORMATS.map(secret => `refused "${secret}", try again`),
}
/** A value that is escaped in a URL no longer has the form of an address or a key. */
const IN_ADDRESSES = FORMATS.filter(secret => !/[:/+$@\n ]/.test(secret))
const keyed = (kind: string) => Object.fromEntries(NAMES.map(name => [name, named(name, kind)]))

/** The text around the first secret in each place; empty when there is none. */
function found(places: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(places).flatMap(([place, text]) => {
      const at = text.search(SECRET)
      return at < 0 ? [] : [[place, text.slice(Math.max(0, at - 90), at + 60)]]
    }),
  )
}

/** All files below a folder, unpacked. */
function filesIn(dir: string): string {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return `${name}\n${(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString()}`
    })
    .join('\n')
}

/** Everything that the console writes of a trace: rows, values, requests, causes, patches and steps. */
function consoleTexts(source: TraceSource): string {
  const feed = new LiveFeed(source)
  feed.advance(Number.POSITIVE_INFINITY)
  const { timeline } = feed
  const out: string[] = timeline.actors.map(({ path, src }) => `${path} ${src}`)
  const values = (value: unknown, depth = 0) => {
    out.push(describeValue(value).preview)
    if (depth > 30) return
    const { keys, get } = membersOf(value)
    for (const key of keys) {
      out.push(key)
      values(get(key), depth + 1)
    }
  }
  source.steps.forEach((step, seq) => {
    out.push(
      timeline.type(seq),
      timeline.state(seq).label,
      timeline.faultOf(seq) ?? '',
      describeEffect(timeline, seq),
    )
    values(step.event)
    const previous = source.steps[timeline.previous(seq)]
    if (!step.changed && previous) return
    values(snapshotOf(step))
    out.push(previewOf(step, '/context').text, textOfValue(step.context))
    out.push(JSON.stringify(jsonPatch(snapshotOf(previous), snapshotOf(step))))
  })
  const rows = networkRows(timeline, [0, Number.POSITIVE_INFINITY], { column: 'start', isDescending: false })
  for (const row of rows)
    out.push(
      JSON.stringify(row),
      curlOf({ ...row.wire, content: undefined }),
      fetchOf({ ...row.wire, content: undefined }),
      ...storyOf(timeline, row).map(({ text }) => text),
    )
  const seqs = source.stimuli.map(({ seq }) => seq)
  out.push(stepsAsText(describeSteps(source, seqs)), stepsAsCode(source, seqs))
  return out.join('\n')
}

/** Follows a client into every store that exists. */
function stored(client: RecordedClient, dir: string) {
  const storage = createMemoryStorage()
  const files = createFileStore(dir)
  const browser = createStore({
    createEngine: onStatus =>
      Promise.resolve(new StoreEngine({ storage, retention: {}, now: () => 0, onStatus })),
    writer: 'test',
    id: () => crypto.randomUUID(),
    now: () => performance.now(),
  })
  const writings = [files, browser].map(store => store.write(client.recording))
  return async () => {
    await Promise.all(writings.map(writing => writing.stop()))
    await Promise.all([files.close(), browser.close()])
    return { 'file store': filesIn(dir), 'browser store': [...storage.texts.values()].join('\n') }
  }
}

async function placesOf(client: RecordedClient): Promise<Record<string, string>> {
  const { header, actors, stimuli, steps } = client.recording.trace
  const bytes = new Uint8Array(await (await client.recording.download()).arrayBuffer())
  const read = await readTrace(bytes)
  if (read.kind !== 'trace') throw new Error(read.message)
  const system = { import: '', name: 'system' }
  return {
    download: gunzipSync(bytes).toString(),
    live: JSON.stringify([header, actors, stimuli, steps].map(encodeValue)),
    console: consoleTexts(client.recording.trace),
    ...Object.fromEntries(EXPORT_FORMATS.map(format => [format, exportTrace(read.trace, format)])),
    'generated test': vitestTest(read.trace, { system }),
    status: JSON.stringify(client.status()),
    failures: JSON.stringify(client.uploads.list().map(({ failure }) => failure ?? null)),
  }
}

const logged: string[] = []
beforeEach(() => {
  logged.length = 0
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, name).mockImplementation(
      (...message) => void logged.push(message.map(String).join(' ')),
    )
})
afterEach(() => void vi.restoreAllMocks())

/**
 * Runs an input on a recorded client; it must have sent or received a secret, and no place may contain one.
 * `own` are places in the app's memory that hold the server's text unchanged.
 */
async function check(
  input: (client: RecordedClient, socket: () => FakeSocket | undefined) => Promise<unknown>,
  routes: Readonly<Record<string, Answer>> = {},
  { received = '', own = [] }: { readonly received?: string; readonly own?: readonly string[] } = {},
) {
  const { WebSocket, sockets } = fakeSockets(([joinRef, ref, topic, event, payload], socket) => {
    if (event === 'access_token') return
    const wanted = (payload as { config?: { postgres_changes?: object[] } }).config?.postgres_changes ?? []
    const response =
      event === 'phx_join' ? { postgres_changes: wanted.map((one, at) => ({ ...one, id: 7 + at })) } : {}
    socket.deliver([joinRef, ref, topic, 'phx_reply', { status: 'ok', response }])
  })
  const sent202 = { 'POST /realtime/v1/api/broadcast': () => new Response(null, { status: 202 }) }
  const { client, requests } = startClient({ ...signIn, ...sent202, ...routes }, { WebSocket })
  const finish = stored(client, mkdtempSync(join(folder, 'store-')))
  await client.auth.signInWithPassword(credentials)
  await input(client, () => sockets[0])
  await new Promise(resolve => setImmediate(resolve))
  const places: Record<string, string> = {
    ...(await placesOf(client)),
    ...(await finish()),
    logged: logged.join('\n'),
  }
  const sent = JSON.stringify([requests, sockets.map(socket => socket.sent)])
  expect(received + sent).toMatch(SECRET)
  expect(places['file store']?.length).toBeGreaterThan(1_000)
  expect(places['browser store']?.length).toBeGreaterThan(1_000)
  for (const place of own) places[place] = ''
  expect(found(places)).toEqual({})
}

const joined = (client: RecordedClient, topic: string) =>
  vi.waitFor(() => expect(client.status().channels[topic]?.phase).toBe('joined'))

describe('the channels of a client', () => {
  test('a broadcast that is sent, by socket and by HTTP', () =>
    check(async client => {
      const channel = client.channel('deck')
      await joined(client, 'deck')
      await channel.send('hail', EVERYTHING)
      await channel.send('hail', { text: JSON.stringify(EVERYTHING) })
      await channel.send('hail', new TextEncoder().encode(FORMATS.join(' ')))
      const official = client.supabase.channel('quay')
      await official.httpSend('hail', EVERYTHING)
    }))

  test('a broadcast that is received', async () => {
    const received: unknown[] = []
    await check(
      async (client, socket) => {
        const channel = client.channel('deck')
        channel.on('broadcast', message => received.push(message))
        await joined(client, 'deck')
        const send = (payload: unknown) =>
          socket()?.deliver([
            null,
            null,
            'realtime:deck',
            'broadcast',
            { type: 'broadcast', event: 'hail', payload },
          ])
        send(EVERYTHING)
        send({ text: JSON.stringify(EVERYTHING) })
        await vi.waitFor(() => expect(received).toHaveLength(2))
      },
      {},
      { received: CODE },
    )
    expect(JSON.stringify(received)).toMatch(CANARY)
  })

  test('presence, sent and received', async () => {
    const received: unknown[] = []
    await check(async (client, socket) => {
      const channel = client.channel('deck', { presence: { key: 'sk_live_c4nary0presence1' } })
      channel.on('presence', message => received.push(message))
      await joined(client, 'deck')
      await channel.track({ ...keyed('tracked'), EVERYTHING })
      socket()?.deliver([
        null,
        null,
        'realtime:deck',
        'presence_state',
        { mate: { metas: [{ phx_ref: '1', ...keyed('seen'), EVERYTHING }] } },
      ])
      socket()?.deliver([
        null,
        null,
        'realtime:deck',
        'presence_diff',
        {
          joins: { ghp_c4narySings0123456789abc: { metas: [{ phx_ref: '2', ...keyed('joined') }] } },
          leaves: {},
        },
      ])
      await vi.waitFor(() => expect(received.length).toBeGreaterThan(1))
    })
    expect(JSON.stringify(received)).toMatch(/c4nary-password-seen/)
  })

  test('row changes, with filters that hold a secret', async () => {
    const received: unknown[] = []
    await check(async (client, socket) => {
      const wanted = { event: '*', schema: 'public', table: 'keys' } as const
      const filters = NAMES.slice(0, 8).map(name => ({
        ...wanted,
        filter: `${name}=eq.${named(name, 'want')}`,
      }))
      const channel = client.channel('rows', { postgresChanges: [wanted, ...filters] })
      channel.on('change', message => received.push(message))
      await joined(client, 'rows')
      const change = (type: string, rows: object) => ({
        ids: [7],
        data: {
          ...wanted,
          type,
          commit_timestamp: '2026-01-01T00:00:00Z',
          columns: [],
          errors: null,
          ...rows,
        },
      })
      const row = { id: 1, ...keyed('record'), note: EVERYTHING }
      const send = (payload: object) =>
        socket()?.deliver([null, null, 'realtime:rows', 'postgres_changes', payload])
      send(change('INSERT', { record: row }))
      send(change('UPDATE', { record: row, old_record: { id: 1, ...keyed('old') } }))
      send({ ...change('DELETE', { old_record: keyed('gone') }), errors: FORMATS })
      await vi.waitFor(() => expect(received).toHaveLength(3))
    })
    expect(JSON.stringify(received)).toMatch(CANARY)
  })

  test('server text: system messages, rejected joins and the reason of a close', () =>
    check(
      async (client, socket) => {
        client.channel('deck')
        await joined(client, 'deck')
        const why = FORMATS.map(secret => `refused: ${secret}`).join('; ')
        const message = `${why}; ${INPUTS['address']?.('password') as string}`
        const send = (event: string, payload: object) =>
          socket()?.deliver([null, null, 'realtime:deck', event, payload])
        send('system', { extension: 'system', status: 'error', message, channel: 'deck' })
        send('system', { extension: 'postgres_changes', status: 'error', message, channel: 'deck' })
        await vi.waitFor(() => expect(JSON.stringify(client.recording.trace.steps)).toContain('refused'))
        socket()?.drop(4_000, message.slice(0, 120))
        await vi.waitFor(() => expect(client.status().connection.phase).not.toBe('connected'))
      },
      {},
      { received: CODE, own: ['status'] },
    ))
})

describe('the account', () => {
  test('passwords, one-time codes, tokens and metadata of every method', () =>
    check(
      async client => {
        const { auth } = client.supabase
        const options = { captchaToken: 'c4nary-captcha', data: { ...keyed('data'), EVERYTHING } }
        await client.auth.signInWithPassword({ email: 'me@h.test', password: 'c4nary own password' })
        await client.auth.signUp({ email: 'me@h.test', password: 'c4nary sign-up' })
        await auth.signUp({ email: 'me@h.test', password: 'c4nary sign-up 2', options })
        await auth.signInWithOtp({ email: 'me@h.test', options })
        await auth.signInWithOtp({ phone: '4912345', options })
        await auth.verifyOtp({ email: 'me@h.test', token: CODE, type: 'email' })
        await auth.verifyOtp({ phone: '4912345', token: CODE, type: 'sms' })
        await auth.verifyOtp({ token_hash: 'c4nary-token-hash', type: 'recovery' })
        await auth.signInWithIdToken({
          provider: 'google',
          token: 'c4nary-id',
          access_token: 'c4nary-at',
          nonce: 'c4nary-n',
        })
        await auth.exchangeCodeForSession('c4nary-exchange-code')
        await auth.resetPasswordForEmail('me@h.test', {
          captchaToken: 'c4nary-captcha-2',
          redirectTo: 'https://h.test/?token=c4nary-redirect',
        })
        await auth.updateUser({ password: 'c4nary new', nonce: CODE, data: keyed('update') })
        await auth.reauthenticate()
        await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'mine' })
        await auth.mfa.challenge({ factorId: 'totp' })
        await auth.mfa.verify({ factorId: 'totp', challengeId: 'c', code: CODE })
        await auth.setSession({ access_token: `eyJc4nary.eyJc4nary.c4nary`, refresh_token: 'c4nary-refresh' })
      },
      {
        'POST /auth/v1/factors/totp/challenge': () => json({ id: 'c', type: 'totp', expires_at: 1 }),
        'POST /auth/v1/factors/totp/verify': () => json(sessionBody('c4nary-strong')),
        'POST /auth/v1/factors': () =>
          json({
            id: 'totp',
            type: 'totp',
            totp: {
              qr_code: '<svg/>',
              secret: 'C4NARY7SECRET',
              uri: 'otpauth://totp/x?secret=C4NARY7SECRET',
            },
          }),
        'PUT /auth/v1/user': () => json({ ...sessionBody('first').user, user_metadata: keyed('answer') }),
      },
    ))

  test('a stored failure does not contain what a rejecting server sends back', () => {
    const refuse = () =>
      json(
        {
          code: 'validation_failed',
          error_code: 'validation_failed',
          msg: `Invalid: ${JSON.stringify({ password: 'c4nary-echoed', note: FORMATS })}`,
          message: `Invalid: ${INPUTS['address']?.('password') as string} ${FORMATS.join(' ')}`,
        },
        422,
      )
    return check(
      async client => {
        await client.auth.signUp({ email: 'me@h.test', password: 'c4nary-echoed' })
        await client.supabase.auth.verifyOtp({ email: 'me@h.test', token: CODE, type: 'email' })
        // Without generated types, like an app that never generated any.
        const supabase = client.supabase as unknown as SupabaseClient
        await supabase.rpc('tide', { password: 'c4nary-echoed' })
        await client.fetch('/rest/v1/vessels', { method: 'POST', body: JSON.stringify(keyed('row')) })
        await client.supabase.functions.invoke('tide', { body: keyed('body') })
      },
      {
        'POST /auth/v1/signup': refuse,
        'POST /auth/v1/verify': refuse,
        'POST /rest/v1/': refuse,
        'POST /functions/v1/': refuse,
      },
    )
  })
})

describe('storage', () => {
  const signed = `eyJ${'c4nary7Sings'.repeat(2)}.${'c4nary7Sings'.repeat(2)}.c4nary`
  const paths = [...IN_ADDRESSES, ...NAMES.slice(0, 12).map(name => `${name}=${named(name, 'path')}`)].map(
    one => `inbox/${one}.txt`,
  )
  const routes: Readonly<Record<string, Answer>> = {
    'POST /storage/v1/object/sign/': () => json({ signedURL: `/object/sign/charts/a?token=${signed}` }),
    'POST /storage/v1/object/upload/sign/': () =>
      json({ url: `/object/upload/sign/charts/a?token=${signed}` }),
    'PUT /storage/v1/object/upload/sign/': () => json({ Key: 'charts/a' }),
    'POST /storage/v1/object/list/': () => json([{ name: 'a', metadata: keyed('listed') }]),
    'GET /storage/v1/object/info/': () => json({ name: 'a', metadata: keyed('info') }),
    'POST /storage/v1/object/': () => json({ Key: 'charts/a', Id: '1' }),
  }

  test('object names, signed URLs and metadata', () =>
    check(async client => {
      const bucket = client.supabase.storage.from('charts')
      for (let at = 0; at < paths.length; at += 4) {
        const [path = '', ...rest] = paths.slice(at, at + 4)
        await Promise.all([
          bucket.upload(path, 'x', at === 0 ? { metadata: { ...keyed('metadata'), EVERYTHING } } : {}),
          bucket.createSignedUrl(path, 60),
          bucket.remove(rest),
          bucket.download(path),
        ])
      }
      const [path = ''] = paths
      const { data } = await bucket.createSignedUploadUrl(path)
      expect(data?.token).toBe(signed)
      await bucket.uploadToSignedUrl(path, data?.token ?? '', 'x')
      await bucket.list('inbox', { search: 'sk_live_c4nary0search1' })
      await bucket.info(path)
      await client.fetch(`/storage/v1/object/sign/charts/a?token=${signed}`)
    }, routes))

  test('uploads that continue automatically, and rejected ones', () =>
    check(
      async client => {
        const content = new Blob(['c4nary content'])
        const some = paths.filter((_, at) => at % 3 === 0)
        const ids = await client.uploads.add(some.map(path => ({ bucket: 'charts', path, content })))
        await vi.waitFor(() =>
          expect(client.uploads.list().filter(({ phase }) => phase === 'failed')).toHaveLength(ids.length),
        )
      },
      {
        'POST /storage/v1/object/': ({ path }) =>
          json({ statusCode: '400', error: 'Bad', message: `no: ${path}?token=${signed}` }, 400),
      },
      { own: ['failures'] },
    ))
})

describe('traces from other apps', () => {
  test('what another app reports about itself is shown without secrets', () => {
    const context = { EVERYTHING, ...keyed('context') }
    const definition = JSON.stringify({ id: 'mine', key: 'mine', initial: 'a', states: { a: {} } })
    const snapshot = { status: 'active', value: 'a', context, children: {} }
    const base = { sessionId: 'x:0', rootId: 'x:0', _version: '0.4.0', createdAt: '1767225600000', id: '1' }
    const trace = foreignTrace([
      JSON.stringify({ ...base, type: '@xstate.actor', name: 'mine', definition, snapshot }),
      JSON.stringify({
        ...base,
        type: '@xstate.event',
        event: { type: 'said', EVERYTHING, ...keyed('event') },
      }),
      JSON.stringify({
        ...base,
        type: '@xstate.snapshot',
        event: { type: 'said', EVERYTHING, ...keyed('event') },
        snapshot: { ...snapshot, error: { message: FORMATS.join(' ') } },
      }),
    ])
    const shown = consoleTexts(trace)
    expect(shown).toContain('[redacted:')
    expect(found({ shown, records: JSON.stringify([trace.header, trace.steps].map(encodeValue)) })).toEqual(
      {},
    )
  })

  test('`chartroom redact` leaves none in a file that was written without redaction', async () => {
    const [file, out] = [join(folder, 'clear.jsonl'), join(folder, 'redacted.gz')]
    const event = { type: 'said', EVERYTHING, ...keyed('event') }
    const actors = actorEntries(['mine', 'mine'])
    const steps = stepRecords([{ actor: 0, type: 'said', event, value: 'on', context: { EVERYTHING } }])
    const { header } = traceSource({ actors, steps })
    const lines = [header, ...actors, ...steps, { line: 'end', stimuli: 0, steps: 1 }]
    writeFileSync(file, lines.map(line => `${JSON.stringify(encodeValue(line))}\n`).join(''))
    expect(readFileSync(file, 'utf8')).toMatch(CANARY)
    const { code, err } = await ran(redactCommand, file, '--out', out)
    expect([code, err]).toEqual([0, ''])
    expect(found({ redacted: gunzipSync(readFileSync(out)).toString() })).toEqual({})
  })
})
