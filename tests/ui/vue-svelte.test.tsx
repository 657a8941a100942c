// The Vue composables and Svelte stores over a client on a simulated backend: mounted, left, and on a server.
import { Window } from 'happy-dom'
import { get } from 'svelte/store'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type * as Vue from 'vue'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json } from '../harness/fake-backend.ts'

const window = new Window()
for (const name of ['document', 'Element', 'SVGElement', 'MathMLElement', 'Node'] as const)
  vi.stubGlobal(name, Reflect.get(window, name))
vi.stubGlobal('window', window)
// Vue looks for a document when it is loaded.
const vue: typeof Vue = await import('vue')
const { renderToString } = await import('vue/server-renderer')
const ours = await import('../../src/public/vue.ts')
const svelte = await import('../../src/public/svelte.ts')

const page = window.document as unknown as Document
beforeEach(() => void vi.stubGlobal('document', page))
afterEach(() => void vi.restoreAllMocks())

/** A component that shows the session's phase and joins a topic. */
const makeView = (topic: Vue.Ref<string | undefined>, joined: string[] = []) =>
  vue.defineComponent(() => {
    const session = ours.useSession()
    const requests = ours.useRequests()
    const channel = ours.useChannel(topic, {}, handle => joined.push(handle.topic))
    signals.push(() => requests.from('vessels').select())
    return () => vue.h('p', `${session.value.phase} ${channel.value.handle?.topic ?? '-'}`)
  })
const signals: (() => PromiseLike<{ error: unknown }>)[] = []

const routes = { ...signIn, 'GET /rest/v1/vessels': () => json([]) }

describe('Vue', () => {
  test('a mounted component follows session and topic, and leaves with its scope', async () => {
    const { client } = startClient(routes)
    const topic = vue.ref<string | undefined>('harbour')
    const joined: string[] = []
    const app = vue.createApp(makeView(topic, joined)).use(ours.chartroom(client))
    const element = page.createElement('div')
    app.mount(element)
    await vi.waitFor(() => expect(element.textContent).toBe('signedOut harbour'))
    await client.auth.signInWithPassword(credentials)
    await vi.waitFor(() => expect(element.textContent).toBe('authenticated harbour'))
    topic.value = 'port'
    await vi.waitFor(() => expect(element.textContent).toBe('authenticated port'))
    expect(joined).toEqual(['harbour', 'port'])
    topic.value = undefined
    await vi.waitFor(() => expect(element.textContent).toBe('authenticated -'))
    topic.value = 'port'
    await vi.waitFor(() => expect(client.status().channels).toHaveProperty('port'))
    app.unmount()
    await vi.waitFor(() => expect(client.status().channels).toEqual({}))
    const { error } = (await signals.at(-1)?.()) ?? {}
    expect(error).toMatchObject({ message: expect.stringContaining('abort') })
  })

  test('a render on a server joins nothing and subscribes to nothing', async () => {
    const { client } = startClient()
    const watch = vi.spyOn(client, 'onStatus')
    const app = vue.createSSRApp(makeView(vue.ref('harbour'))).use(ours.chartroom(client))
    expect(await renderToString(app)).toMatch(/^<p>(booting|signedOut) -<\/p>$/)
    expect(watch).not.toHaveBeenCalled()
    expect(client.status().channels).toEqual({})
  })

  test('a component without the plugin gets an error that names it', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const app = vue.createSSRApp(makeView(vue.ref('harbour')))
    await expect(renderToString(app)).rejects.toThrow('call app.use(chartroom(client)) first')
  })
})

describe('Svelte', () => {
  test('stores follow the client while they are subscribed', async () => {
    const { client } = startClient(routes)
    const session = svelte.sessionOf(client)
    const phases: string[] = []
    const stop = session.subscribe(({ phase }) => phases.push(phase))
    await client.auth.signInWithPassword(credentials)
    await vi.waitFor(() => expect(phases.at(-1)).toBe('authenticated'))
    expect(get(svelte.statusOf(client)).session.phase).toBe('authenticated')
    stop()
    const seen = phases.length
    await client.auth.signOut({ scope: 'local' })
    expect(phases).toHaveLength(seen)
    expect(get(session).phase).toBe('signedOut')
  })

  test('a channel is joined while it is subscribed, and not on a server', async () => {
    const { client } = startClient(routes)
    const channel = svelte.channelOf(client, 'harbour')
    const stop = channel.subscribe(() => undefined)
    expect(get(channel).handle?.topic).toBe('harbour')
    await vi.waitFor(() => expect(client.status().channels).toHaveProperty('harbour'))
    stop()
    await vi.waitFor(() => expect(client.status().channels).toEqual({}))
    vi.stubGlobal('document', undefined)
    expect(get(channel).handle).toBeUndefined()
  })
})
