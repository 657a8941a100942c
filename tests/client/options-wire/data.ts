// Options of requests on the wire: tokens, traces, schema, time limits, headers and hosts.
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, onTestFinished, vi } from 'vitest'
import { jwt } from '../../harness/fake-backend.ts'
import { clients, type OptionPath, type OptionTests, rows, sentByBoth } from '../../harness/option-wire.ts'

const THIRD_PARTY = jwt('third-party')

/** One request of each family that does not sign in. */
const oneOfEach = async (supabase: SupabaseClient) => {
  await rows(supabase)
  await supabase.storage.from('charts').list()
  await supabase.functions.invoke('tide')
}

/** Where supabase-js's own tracing module registers its extractor, which needs OpenTelemetry. */
const EXTRACTOR = Symbol.for('@supabase/supabase-js.traceContextExtractor')

/** Starts a trace for the rest of the test. */
function startTrace(isSampled: boolean) {
  const trace = {
    traceparent: `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0${Number(isSampled)}`,
    tracestate: 'harbour=1',
    baggage: 'vessel=7',
  }
  Object.assign(globalThis, { [EXTRACTOR]: () => trace })
  onTestFinished(() => void Reflect.deleteProperty(globalThis, EXTRACTOR))
  return trace
}

const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage']

/** A fetch whose requests end when they are aborted. */
const hanging = (_: unknown, init?: RequestInit) =>
  new Promise<Response>((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
  })

export const dataOptions = {
  accessToken: {
    'its token is sent with every request': async () => {
      const accessToken = vi.fn<() => Promise<string>>(() => Promise.resolve(THIRD_PARTY))
      const { official, ours } = await sentByBoth({ accessToken }, oneOfEach, {
        headers: ['authorization', 'apikey'],
      })
      expect(ours).toEqual(official)
      expect(ours.map(({ authorization }) => authorization)).toEqual(Array(3).fill(`Bearer ${THIRD_PARTY}`))
    },
  },
  tracePropagation: {
    'true sends the trace with queries, files, functions and broadcasts over HTTP': async () => {
      const trace = startTrace(true)
      const { official, ours } = await sentByBoth(
        { tracePropagation: true },
        async supabase => {
          await oneOfEach(supabase)
          await supabase.channel('deck').httpSend('bell', { rings: 2 })
        },
        { headers: TRACE_HEADERS, answer: () => Response.json([], { status: 202 }) },
      )
      expect(ours).toEqual(official)
      expect(ours).toMatchObject(Array(4).fill(trace))
    },
    'without it, no trace is sent': async () => {
      startTrace(true)
      const { official, ours } = await sentByBoth({}, rows, { headers: TRACE_HEADERS })
      expect(ours).toEqual(official)
      expect(ours).toMatchObject([{ traceparent: null, tracestate: null, baggage: null }])
    },
  },
  'tracePropagation.enabled': {
    'true sends the trace, false does not': async () => {
      const { traceparent } = startTrace(true)
      for (const enabled of [true, false]) {
        const { official, ours } = await sentByBoth({ tracePropagation: { enabled } }, rows, {
          headers: TRACE_HEADERS,
        })
        expect(ours).toEqual(official)
        expect(ours).toMatchObject([{ traceparent: enabled ? traceparent : null }])
      }
    },
  },
  'tracePropagation.respectSamplingDecision': {
    'false sends all of a trace that is not sampled, true only its id': async () => {
      const { traceparent, baggage } = startTrace(false)
      for (const respectSamplingDecision of [true, false]) {
        const tracePropagation = { enabled: true, respectSamplingDecision }
        const { official, ours } = await sentByBoth({ tracePropagation }, rows, { headers: TRACE_HEADERS })
        expect(ours).toEqual(official)
        expect(ours).toMatchObject([{ traceparent, baggage: respectSamplingDecision ? null : baggage }])
      }
    },
  },
  'db.schema': {
    'queries go to that schema': async () => {
      const { official, ours } = await sentByBoth({ db: { schema: 'api' } }, rows, {
        headers: ['accept-profile'],
      })
      expect(ours).toEqual(official)
      expect(ours).toMatchObject([{ 'accept-profile': 'api' }])
    },
  },
  'db.timeout': {
    'the query fails after it': async () => {
      const { official, ours } = clients({ db: { timeout: 50 }, global: { fetch: hanging } })
      const [expected, result] = [await official.from('a').select(), await ours.from('a').select()]
      expect(result.error?.message.slice(0, 12)).toEqual(expected.error?.message.slice(0, 12))
    },
  },
  'db.urlLengthLimit': {
    'an aborted query with a longer URL gets the hint': async () => {
      const hints: Record<number, string | undefined> = {}
      for (const urlLengthLimit of [20, 2_000]) {
        const { results } = await sentByBoth(
          { db: { urlLengthLimit } },
          async supabase => {
            const { error } = await supabase.from('vessels').select().abortSignal(AbortSignal.abort())
            return [error?.message, error?.hint]
          },
          { answer: request => Promise.reject(request.signal.reason as Error) },
        )
        const [expected, ours] = results as [unknown, [string, string]]
        expect(ours).toEqual(expected)
        hints[urlLengthLimit] = ours[1]
      }
      expect(hints[20]).toMatch(/aborted.*Your request URL is \d+ characters/)
      expect(hints[2_000]).not.toMatch(/Your request URL/)
    },
  },
  'db.retry': {
    'false sends a failed query once, like the official client': async () => {
      const { official, ours } = await sentByBoth({ db: { retry: false } }, rows, {
        answer: () => new Response('', { status: 503 }),
      })
      expect(ours).toEqual(official)
      expect(ours).toHaveLength(1)
    },
  },
  'global.fetch': {
    'sends every request': async () => {
      const { official, ours } = await sentByBoth({}, async supabase => {
        await oneOfEach(supabase)
        await supabase.auth.signInWithPassword({ email: 'a@b.test', password: 'harbour-demo' })
      })
      expect(ours).toEqual(official)
      expect(ours).toHaveLength(4)
    },
  },
  'global.headers': {
    'sent with every request': async () => {
      const { official, ours } = await sentByBoth(
        { global: { headers: { 'x-tenant': '42' } } },
        async supabase => {
          await rows(supabase)
          await supabase.storage.from('charts').list()
          await supabase.auth.signInWithPassword({ email: 'a@b.test', password: 'harbour-demo' })
        },
        { headers: ['x-tenant'] },
      )
      expect(ours).toEqual(official)
      expect(ours.map(request => request['x-tenant'])).toEqual(['42', '42', '42'])
    },
    'a custom authorization header takes precedence over the session': async () => {
      const { official, ours } = await sentByBoth(
        { global: { headers: { Authorization: 'Bearer of-the-request' } } },
        async supabase => {
          await rows(supabase)
          await supabase.functions.invoke('tide')
        },
        { headers: ['authorization'] },
      )
      expect(ours).toEqual(official)
    },
  },
  'storage.useNewHostname': {
    'files are sent to the storage host': async () => {
      const { official, ours } = await sentByBoth(
        { storage: { useNewHostname: true } },
        supabase => supabase.storage.from('charts').list(),
        { headers: ['authorization'], url: 'https://harbour.supabase.co' },
      )
      expect(ours).toEqual(official)
      expect(ours[0]?.['call']).toContain('.storage.supabase.co')
    },
  },
} satisfies Partial<Record<OptionPath, OptionTests>>
