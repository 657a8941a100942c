// The stores of Functions and Realtime over a simulated client: work in progress survives leaving its page,
// and failures.
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AttachedRecording } from '../../../src/services/recording/index.ts'
import type {
  ChannelEvents,
  ChannelStatus,
  ChartroomClient,
  ClientStatus,
  Result,
} from '../../../src/public/index.ts'
import { FunctionCallStore } from '../../../src/services/workbench/functions/index.ts'
import { EMPTY_DRAFT } from '../../../src/services/workbench/functions/call-draft.ts'
import {
  entryOf,
  withEntry,
  type HistoryEntry,
} from '../../../src/services/workbench/functions/call-history.ts'
import { TopicsStore, USUAL_SETTINGS } from '../../../src/services/workbench/realtime/index.ts'
import { forgetInTab } from '../../../src/services/workbench/storage/tab-store.ts'

type Listener = (data: never) => void

/** A channel that the test controls. */
function madeChannel(topic: string) {
  const listeners: [kind: string, call: Listener][] = []
  const sent: [event: string, payload: unknown, settle: (result: Result<void>) => void][] = []
  const tracked: unknown[] = []
  let hasLeft = false
  let status: ChannelStatus = { phase: 'joining', postgres: 'none', data: 'none' }
  const report = <K extends keyof ChannelEvents>(kind: K, data: ChannelEvents[K]) => {
    if (kind === 'status') status = data as ChannelStatus
    for (const [of, call] of listeners) if (of === kind && !hasLeft) call(data as never)
  }
  const handle = {
    topic,
    status: () => status,
    presence: () => ({}),
    on: (kind: string, call: Listener) => {
      listeners.push([kind, call])
      return () => undefined
    },
    send: (event: string, payload: unknown) =>
      new Promise<Result<void>>(settle => sent.push([event, payload, settle])),
    track: (meta: unknown) => {
      tracked.push(meta)
      return Promise.resolve({ ok: true, value: undefined } as const)
    },
    untrack: () => Promise.resolve({ ok: true, value: undefined } as const),
    leave: () => {
      hasLeft = true
    },
  }
  return { handle, report, sent, tracked, hasLeft: () => hasLeft }
}

function madeClient() {
  let follow: (status: ClientStatus) => void = () => undefined
  let now = 0
  const channels: (ReturnType<typeof madeChannel> & { readonly options: unknown })[] = []
  const client = {
    url: 'http://harbour.test',
    now: () => (now += 5),
    onStatus: (listener: typeof follow) => {
      follow = listener
      return () => undefined
    },
    channel: (topic: string, options: unknown) => {
      const channel = madeChannel(topic)
      channels.push({ ...channel, options })
      return channel.handle
    },
  } as unknown as ChartroomClient
  const as = (id: string | undefined) =>
    follow({
      session: id === undefined ? { phase: 'signedOut' } : { phase: 'authenticated', user: { id } },
    } as unknown as ClientStatus)
  return { client, channels, as }
}

const user = { key: 'u1', name: 'skipper' }

describe('a topic', () => {
  test('keeps received and drafted messages across rejections, and sends again', async () => {
    const { client, channels } = madeClient()
    const topic = new TopicsStore(client, user).open('bridge')
    const [first] = channels
    expect(first?.options).toMatchObject({ presence: { enabled: true, key: 'u1' } })
    expect(first?.tracked).toEqual([{ name: 'skipper' }])
    first?.report('broadcast', { event: 'message', payload: { text: 'Ahoy' } })
    topic.edit({ words: 'Aye' })
    topic.sendDraft()
    topic.edit({ words: 'And more' })
    first?.sent[0]?.[2]({ ok: false, failure: { kind: 'network', message: 'The line is gone.' } })
    await vi.waitFor(() =>
      expect(topic.log.entries.map(({ event, phase, problem }) => [event, phase, problem])).toEqual([
        ['message', undefined, undefined],
        ['message', 'failed', 'The line is gone.'],
      ]),
    )
    first?.report('status', { phase: 'denied', postgres: 'none', data: 'none', reason: 'Unauthorized' })
    expect(topic.state().draft.words).toBe('And more')
    topic.join()
    expect([channels.length, first?.hasLeft()]).toEqual([2, true])
    channels[1]?.report('status', { phase: 'joined', postgres: 'none', data: 'none' })
    expect(topic.log.entries.map(({ event }) => event)).toEqual(['message', 'message', 'denied', 'joined'])
  })

  test('is left on sign-out, received by no other user, and restored for the same one', () => {
    const { client, channels, as } = madeClient()
    const store = new TopicsStore(client, user)
    store.start()
    const topic = store.open('bridge', { ...USUAL_SETTINGS, private: true })
    channels[0]?.report('broadcast', { event: 'message', payload: { text: 'Ahoy' } })
    as(undefined)
    expect([channels[0]?.hasLeft(), topic.state().status.phase]).toEqual([true, 'left'])
    as('u2')
    expect(channels).toHaveLength(1)
    as('u1')
    expect(channels).toHaveLength(2)
    expect(channels[1]?.options).toMatchObject({ private: true })
    expect(topic.log.entries).toHaveLength(1)
  })
})

describe('a call', () => {
  beforeEach(() => forgetInTab(() => true))

  const parts = { url: 'http://harbour.test', name: 'x', first: { name: 'watch' }, wall: () => 'now' }

  test('continues in the background, keeps its data when stopped, and is not the next one', async () => {
    let now = 0
    const store = new FunctionCallStore({ ...parts, now: () => (now += 1) })
    let push: ((text: string) => void) | undefined
    const seen: unknown[] = []
    const call: ChartroomClient['fetch'] = (path, init, asked) => {
      seen.push([path, init?.method, asked?.timeout])
      asked?.onStart?.('r7')
      const body = new ReadableStream<Uint8Array>({
        start: controller => {
          push = text => controller.enqueue(new TextEncoder().encode(text))
          init?.signal?.addEventListener('abort', () => controller.error(new Error('stopped')))
        },
      })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    }
    store.callThrough(() => ({ fetch: call, client: madeClient().client }))
    store.edit({ method: 'GET', timeout: '5' })
    expect([store.send(), store.send()]).toEqual([true, false])
    await vi.waitFor(() => expect(store.state().call.phase).toBe('receiving'))
    push?.('data: a\n\ndata: b\n\n')
    await vi.waitFor(() => expect(store.state().call).toMatchObject({ body: { parts: [{}, {}] } }))
    store.stop()
    expect(store.state().call).toMatchObject({ phase: 'canceled', request: 'r7', body: { size: 18 } })
    expect(await store.answer()?.text()).toBe('data: a\n\ndata: b\n\n')
    expect(store.state().history).toMatchObject([{ outcome: 'canceled', status: 200, size: 18 }])
    expect(seen).toEqual([['/functions/v1/watch', 'GET', 5_000]])
    expect(store.send()).toBe(true)
    expect(store.state().call).toMatchObject({ phase: 'sending', id: 2 })
    store.stop()
  })

  test('has a recording that contains nothing written or received', async () => {
    const recordings: [string, AttachedRecording][] = []
    const onCalled = (name: string, { recording }: { readonly recording: AttachedRecording }) =>
      void recordings.push([name, recording])
    const store = new FunctionCallStore({ ...parts, now: () => 0, onCalled })
    const call: ChartroomClient['fetch'] = (_path, _init, asked) => {
      asked?.onStart?.('r7')
      return Promise.resolve(
        Response.json({ said: 'of-the-answer' }, { headers: { 'x-own': 'of-a-header' } }),
      )
    }
    store.callThrough(() => ({ fetch: call, client: madeClient().client }))
    const pair = { id: 'p', on: true, name: 'x-own', value: 'written-header' }
    const query = [{ ...pair, name: 'q', value: 'written-query' }]
    store.edit({ headers: [pair], query, json: '{"a":"written-body"}' })
    store.send()
    await vi.waitFor(() => expect(store.state().call.phase).toBe('done'))
    const [[name, recording] = []] = recordings
    const bytes = await recording?.download().then(file => file.arrayBuffer())
    const text = gunzipSync(new Uint8Array(bytes ?? [])).toString()
    expect([name, text.match(/written-\w+|of-the-answer|of-a-header/g)]).toEqual(['Call of watch', null])
    expect(text).toContain('"request":"r7"')
  })

  test('is not made in the name of a signed-out user', () => {
    const store = new FunctionCallStore({ ...parts, now: () => 0 })
    expect(store.send()).toBe(false)
    expect(store.state().problems).toEqual({ as: 'This account is signed out. Choose another caller.' })
  })

  test('loaded over a draft can be undone to restore the draft', () => {
    const store = new FunctionCallStore({ ...parts, now: () => 0 })
    store.load({ ...EMPTY_DRAFT, name: 'tide' })
    expect(store.state().before, 'there was no draft').toBe(undefined)
    store.edit({ json: '{"half":' })
    store.load({ ...EMPTY_DRAFT, name: 'chart' })
    store.restore()
    expect(store.state()).toMatchObject({ draft: { name: 'tide', json: '{"half":' }, before: undefined })
  })
})

test('the history is bounded in size', () => {
  const call = {
    phase: 'failed',
    id: 1,
    draft: { ...EMPTY_DRAFT, text: 'x'.repeat(49_000) },
    path: '/',
    sentAt: 'now',
    failure: { message: 'no', kind: 'network' },
    duration: 1,
  } as const
  let list: readonly HistoryEntry[] = []
  for (let n = 0; n < 70; n++) list = withEntry(list, entryOf(call))
  expect(list.length).toBe(20)
  const longer = entryOf({ ...call, draft: { ...call.draft, text: 'x'.repeat(60_000) } })
  expect(longer.draft.text).toBe('[redacted:0] Too long to store.')
})
