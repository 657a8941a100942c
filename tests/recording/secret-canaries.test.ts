// A hundred kinds of secrets through the inputs of recordings: none is found where something is stored.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, describe, expect, test } from 'vitest'
import { assign, fromPromise, setup } from 'xstate'
import { infoCommand } from '../../src/cli/info.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import {
  EXPORT_FORMATS,
  exportTrace,
  encodeValue,
  createRedactor,
  isPlainHeader,
} from '../../src/trace/index.ts'
import { secretName } from '../../src/trace/redact/secret-names.ts'
import { EMPTY_DRAFT } from '../../src/services/workbench/functions/call-draft.ts'
import { withoutSecrets } from '../../src/services/workbench/functions/call-history.ts'
import { CANARY, FORMATS, INPUTS, NAMES, named } from '../harness/canaries.ts'
import { ran } from '../harness/command.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json } from '../harness/fake-backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-canaries-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('there are a hundred kinds', () => {
  expect(NAMES.length + FORMATS.length).toBeGreaterThanOrEqual(100)
})

describe('the redactor', () => {
  test.each(Object.keys(INPUTS))('every name, as %s', kind => {
    const left = NAMES.filter(name =>
      CANARY.test(JSON.stringify(encodeValue(createRedactor().value(INPUTS[kind]?.(name))))),
    )
    expect(left).toEqual([])
  })

  test.each([
    ['alone', (secret: string) => secret],
    ['in a sentence', (secret: string) => `refused "${secret}", try again`],
    ['in JSON', (secret: string) => JSON.stringify({ text: secret })],
    ['in an address', (secret: string) => `https://h.test/?x=${secret}`],
    [
      'encoded',
      (secret: string) => `https://h.test/?x=${encodeURIComponent(`a=${secret}`).replaceAll('%20', ' ')}`,
    ],
    ['as an error', (secret: string) => new Error(`no: ${secret}`, { cause: [secret] })],
    ['as bytes', (secret: string) => new TextEncoder().encode(secret)],
  ])('every format, %s', (kind, place) => {
    const left = FORMATS.filter(secret => {
      // A value that is escaped in a URL no longer has the form of an address or a key.
      if (kind === 'encoded' && /[:/+$@\n ]/.test(secret)) return false
      const hidden = createRedactor().value(place(secret))
      const text = hidden instanceof Error ? `${hidden.message} ${String(hidden.cause)}` : hidden
      return CANARY.test(text instanceof Uint8Array ? new TextDecoder().decode(text) : JSON.stringify(text))
    })
    expect(left).toEqual([])
  })

  test('numbers under the name of a code, and only there', () => {
    const value = { pin: 4711, otp: 123456, cvc: 123, count: 4711, pinned: 1234, code: 404, secret: 3 }
    expect(createRedactor().value(value)).toEqual({
      ...value,
      pin: '[redacted:1]',
      otp: '[redacted:2]',
      cvc: '[redacted:3]',
    })
  })

  test.each(
    (
      'author authority authorId pinned pinnedAt tokenId tokenType token_type token_count tokenCount expiresIn passed bypass ' +
      'compass secretary keyboard monkey signedIn signal design assign opinion shipping passenger ' +
      'tokenizer errorCode status_code country_code key primaryKey secret_name passwordLength passwordRequired otpExpiresAt ' +
      'tokenTimeout authTimeout className type value state status id path'
    ).split(' '),
  )('%s is a plain name', name => {
    expect([secretName(name), isPlainHeader(name)]).toEqual([undefined, false])
  })

  test('state names and values stay, also under a name used for secrets', () => {
    const snapshot = {
      status: 'active',
      value: { password: 'entering-now-1', token: 'refreshing22' },
      context: { password: 'x' },
    }
    expect(createRedactor().value(snapshot)).toEqual({ ...snapshot, context: { password: '[redacted:1]' } })
    const waiting = { type: 'password.reset.requested', auth: 'signedIn', session: 'none', token: 'fresh' }
    expect(createRedactor().value(waiting)).toBe(waiting)
  })
})

const machine = setup({
  types: { context: {} as Record<string, unknown>, events: {} as { type: string; [key: string]: unknown } },
  actors: {
    job: fromPromise(({ input }) => Promise.resolve(input)),
    broken: fromPromise(({ input }) => Promise.reject(new Error(`failed: ${JSON.stringify(input)}`))),
  },
}).createMachine({
  id: 'mine',
  context: ({ input }) => ({ input }),
  initial: 'password',
  states: { password: { on: { put: 'auth_token' } }, auth_token: { tags: 'x' } },
  on: {
    'xstate.error.actor.*': { actions: assign({ error: ({ event }) => event['error'] }) },
    say: {
      actions: assign(({ event, spawn }) => ({
        last: event,
        job: spawn('job', { input: event }),
        broken: spawn('broken', { input: event['note'] }),
      })),
    },
  },
})

test('a recorded system: no trace, export or command shows one, and it replays exactly', async () => {
  const keys = Object.fromEntries(NAMES.map(name => [name, named(name, 'input')]))
  const recording = record(machine, { input: keys, keyframeEvery: 20, system: 'mine' })
  recording.start()
  recording.actor.send({ type: 'put' })
  for (const name of NAMES)
    recording.actor.send({
      type: 'say',
      all: Object.values(INPUTS).map(make => make(name)),
      note: INPUTS['address']?.(name),
    })
  for (const secret of FORMATS)
    recording.actor.send({ type: 'say', note: `see ${secret}`, body: { text: secret } })
  await new Promise(resolve => setImmediate(resolve))
  recording.stop()
  const file = join(folder, 'trace.jsonl')
  writeFileSync(file, `${recording.lines().join('\n')}\n`)
  const { header, actors, stimuli, steps, tape, keyframes } = recording.trace
  const places: Record<string, string> = {
    file: readFileSync(file, 'utf8'),
    live: JSON.stringify([header, actors, stimuli, steps, tape, keyframes].map(encodeValue)),
  }
  for (const format of EXPORT_FORMATS) places[format] = exportTrace(recording.trace, format)
  const [info, replay] = [await ran(infoCommand, file), await ran(replayCommand, file)]
  places['info'] = info.out + info.err
  places['replay'] = replay.out + replay.err
  expect(steps.length).toBeGreaterThan(100)
  for (const [place, text] of Object.entries(places)) {
    const at = text.search(CANARY)
    expect([place, at < 0 ? '' : text.slice(Math.max(0, at - 60), at + 60)]).toEqual([place, ''])
  }
  expect(places['file']).toContain('auth_token')
  expect(verify(recording.trace, { mine: machine })).toMatchObject({ outcome: 'exact' })
})

test('the client: no recording contains what a request carries under a secret name or in a known format', async () => {
  const answers = { ...signIn, 'POST /functions/v1/tide': () => json({}) }
  const { client } = startClient(answers)
  await client.auth.signInWithPassword({ ...credentials, password: 'c4nary-password' })
  const { supabase } = client
  const untyped = supabase as SupabaseClient
  const secrets = [
    ...NAMES.map(name => [name, named(name, 'arg')] as const),
    ...FORMATS.map(one => ['note', one] as const),
  ]
  // A few at once, since each request takes its time.
  const lines = secrets.filter(([, text]) => !/[\n$]/.test(text))
  for (let at = 0; at < lines.length; at += 15) {
    const some = lines.slice(at, at + 15)
    const args = Object.fromEntries(some)
    await some.reduce((query, [name, secret]) => query.eq(name, secret), supabase.from('vessels').select())
    await untyped.rpc('tide', args, { get: true })
    await untyped.rpc('tide', args)
    await supabase.functions.invoke(`tide?${new URLSearchParams(args).toString()}`, { body: args })
  }
  const bytes = new Uint8Array(await (await client.recording.download()).arrayBuffer())
  const text = gunzipSync(bytes).toString() + JSON.stringify(client.status())
  const at = text.search(CANARY)
  expect(at < 0 ? '' : text.slice(Math.max(0, at - 80), at + 60)).toBe('')
})

test('the request history keeps only plain headers, and no secret of query or body', () => {
  const pair = (name: string, value: string) => ({ id: name, on: true, name, value })
  const draft = withoutSecrets({
    ...EMPTY_DRAFT,
    name: 'tide',
    headers: [...NAMES, 'x-anything', 'x-custom'].map(name => pair(name, named(name, 'header'))),
    query: [...NAMES, 'key', 'session', 'code'].map(name => pair(name, named(name, 'query'))),
    form: NAMES.map(name => pair(name, named(name, 'form'))),
    json: JSON.stringify({
      ...Object.fromEntries(NAMES.map(name => [name, named(name, 'json')])),
      list: FORMATS,
    }),
    text: FORMATS.join(' '),
  })
  const text = JSON.stringify(draft)
  const at = text.search(CANARY)
  expect(at < 0 ? '' : text.slice(Math.max(0, at - 80), at + 60)).toBe('')
})

test('the trace is the only file that these tests wrote', () => {
  const written = readdirSync(folder).map(name => join(folder, name))
  expect(written.filter(file => statSync(file).isFile() && CANARY.test(readFileSync(file, 'utf8')))).toEqual(
    [],
  )
})
