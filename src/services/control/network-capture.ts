// Captures what requests and sockets carry, in bounded memory and only while a console watches. Nothing here
// is recorded; secrets are masked when it is read.
import { createRedactor, isSecretUnder, Listeners, type RedactionPolicy } from '../../trace/index.ts'
import type { Interceptor } from './control-point.ts'

type Fetch = typeof globalThis.fetch
type Frame = Parameters<WebSocket['send']>[0]

/** Characters of a text; the rest is cut. */
const MOST_OF_BODY = 64_000
const MOST_OF_FRAME = 4_000
/** The oldest entries are dropped, also when all their texts together exceed the number of characters. */
const MOST_CALLS = 300
const MOST_FRAMES = 1_000
const MOST_CHARACTERS = 4_000_000

/** A body or a message. */
export interface CapturedText {
  /** Without secrets; undefined if it is not text. */
  readonly text?: string
  /** What it is if it is not text, such as `stream`. */
  readonly note?: string
  /** Its size if it is known: in characters of text, in bytes otherwise. */
  readonly size?: number
  /** Whether only the beginning was kept. */
  readonly isCut?: boolean
}

export interface CapturedHeader {
  /** In lowercase. */
  readonly name: string
  readonly value: string
  /** Whether the value was replaced because it is a secret. */
  readonly isMasked: boolean
}

export interface CallContent {
  readonly url: string
  readonly headers: readonly CapturedHeader[]
  /** Undefined if there is none. */
  readonly body: CapturedText | undefined
  readonly response: CapturedResponse | undefined
}

export interface CapturedResponse {
  readonly status: number
  readonly headers: readonly CapturedHeader[]
  /** Undefined if there is none, or while it is read. */
  readonly body: CapturedText | undefined
}

/** A call of `fetch`. */
export interface CapturedCall {
  /** Milliseconds since the recording began. */
  readonly t: number
  readonly method: string
  /** Without secrets. */
  readonly url: string
  /** Returns its current content, without secrets. */
  read(): CallContent
}

/** A message of a socket. */
export interface CapturedFrame {
  /** Milliseconds since the recording began. */
  readonly t: number
  readonly way: 'in' | 'out'
  /** Returns the message, without secrets. */
  read(): CapturedText
}

/** Contents of network calls, oldest first. */
export interface NetworkContents {
  /** Increases with each change. */
  version(): number
  readonly subscribe: (listener: () => void) => () => void
  calls(): readonly CapturedCall[]
  frames(): readonly CapturedFrame[]
}

export interface NetworkCaptureOptions {
  /** Handles calls, sockets and storage. */
  readonly inner: Interceptor
  /** Milliseconds since the recording began. */
  readonly now: () => number
  /** The app's additions to the rules for secrets. */
  readonly policy?: RedactionPolicy
}

/** Captures while it is watched; passes everything on. */
export class NetworkCapture implements Interceptor, NetworkContents {
  readonly #inner: Interceptor
  readonly #now: () => number
  readonly #mask: Mask
  readonly #listeners = new Listeners()
  readonly #calls = new Ring<Call>(MOST_CALLS)
  readonly #frames = new Ring<SocketFrame>(MOST_FRAMES)
  readonly #watchers = new Set<object>()
  #version = 0

  constructor({ inner, now, policy }: NetworkCaptureOptions) {
    this.#inner = inner
    this.#now = now
    this.#mask = new Mask(policy)
  }

  readonly subscribe = this.#listeners.subscribe
  readonly version = (): number => this.#version
  readonly calls = (): readonly CapturedCall[] => this.#calls.list
  readonly frames = (): readonly CapturedFrame[] => this.#frames.list

  /** Captures until the returned function is called; captured contents stay in memory. */
  watch(): () => void {
    const watcher = {}
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  async fetch(real: Fetch, ...args: Parameters<Fetch>): Promise<Response> {
    if (this.#watchers.size === 0) return this.#inner.fetch(real, ...args)
    const call = new Call(this.#now(), this.#mask, ...args)
    this.#calls.add(call)
    this.#changed()
    const response = await this.#inner.fetch(real, ...args)
    this.#answered(call, response)
    return response
  }

  onSocketCreated(socket: WebSocket): void {
    this.#inner.onSocketCreated(socket)
  }

  sends(data: Frame, send: (data: Frame) => void): void {
    this.#inner.sends(data, what => {
      send(what)
      this.#message('out', what)
    })
  }

  onMessage(socket: WebSocket, event: Event): boolean {
    const isPassed = this.#inner.onMessage(socket, event)
    if (isPassed && event.type === 'message') this.#message('in', (event as MessageEvent<unknown>).data)
    return isPassed
  }

  onStorageWrite(): void {
    this.#inner.onStorageWrite()
  }

  isOffline(): boolean {
    return this.#inner.isOffline()
  }

  #message(direction: CapturedFrame['way'], data: unknown): void {
    if (this.#watchers.size === 0) return
    this.#frames.add(new SocketFrame(this.#now(), direction, contentOf(data, MOST_OF_FRAME), this.#mask))
    this.#changed()
  }

  /** Reads the beginning of a copy; the app gets the whole response. */
  #answered(call: Call, response: Response): void {
    const { status, headers, body } = response
    const answer: Answer = { status, headers: [...headers], body: undefined }
    call.answer = answer
    this.#changed()
    if (body === null || response.bodyUsed) return
    const type = headers.get('content-type') ?? ''
    if (!TEXT.test(type)) {
      const size = Number(headers.get('content-length') ?? Number.NaN)
      answer.body = { note: type === '' ? 'no content type' : type, ...(size >= 0 && { size }) }
      return
    }
    readUpTo(response.clone(), MOST_OF_BODY).then(
      content => {
        answer.body = content
        this.#calls.grow(call, content.text?.length ?? 0)
        this.#changed()
      },
      // An interrupted body is a failure of the request, which the recording shows.
      () => {
        answer.body = { note: 'interrupted' }
        this.#changed()
      },
    )
  }

  #changed(): void {
    this.#version += 1
    this.#listeners.notify()
  }
}

/** Content types that are shown as text. */
const TEXT = /^text\/|[/+](?:json|xml|x-www-form-urlencoded|javascript|graphql|x-ndjson)\b/i

/** Headers whose values are always secrets. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'apikey',
  'cookie',
  'set-cookie',
])

const HIDDEN = '[hidden]'

type RawHeaders = readonly (readonly [name: string, value: string])[]

/** Replaces secrets by the rules of recordings. */
class Mask {
  readonly #redactor

  constructor(policy: RedactionPolicy | undefined) {
    this.#redactor = createRedactor({ policy })
  }

  text(text: string): string {
    return this.#redactor.text(text)
  }

  content({ text, ...rest }: CapturedText): CapturedText {
    return text === undefined ? rest : { ...rest, text: this.text(text) }
  }

  headers(headers: RawHeaders): readonly CapturedHeader[] {
    return headers.map(([name, value]) => {
      if (!SECRET_HEADERS.has(name) && !isSecretUnder(name, value))
        return { name, value: this.text(value), isMasked: false }
      const scheme = /^(?:Bearer|Basic) /i.exec(value)?.[0] ?? ''
      return { name, value: scheme + HIDDEN, isMasked: true }
    })
  }
}

interface Answer {
  readonly status: number
  readonly headers: RawHeaders
  body: CapturedText | undefined
}

class Call implements CapturedCall {
  readonly t: number
  readonly method: string
  readonly url: string
  characters: number
  answer: Answer | undefined
  readonly #mask: Mask
  readonly #headers: RawHeaders
  readonly #body: CapturedText | undefined

  constructor(t: number, mask: Mask, ...[input, init]: Parameters<Fetch>) {
    const request = input instanceof Request ? input : undefined
    const url = input instanceof Request ? input.url : input instanceof URL ? input.href : input
    const body = init?.body ?? request?.body ?? undefined
    this.t = t
    this.method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
    this.url = mask.text(url)
    this.#mask = mask
    this.#headers = [...new Headers(init?.headers ?? request?.headers)]
    this.#body = body === undefined ? undefined : contentOf(body, MOST_OF_BODY)
    this.characters = this.#body?.text?.length ?? 0
  }

  read(): CallContent {
    const { answer, url } = this
    const mask = this.#mask
    return {
      url,
      headers: mask.headers(this.#headers),
      body: this.#body && mask.content(this.#body),
      response: answer && {
        status: answer.status,
        headers: mask.headers(answer.headers),
        body: answer.body && mask.content(answer.body),
      },
    }
  }
}

class SocketFrame implements CapturedFrame {
  readonly t: number
  readonly way: CapturedFrame['way']
  readonly characters: number
  readonly #content: CapturedText
  readonly #mask: Mask

  constructor(t: number, way: CapturedFrame['way'], content: CapturedText, mask: Mask) {
    this.t = t
    this.way = way
    this.characters = content.text?.length ?? 0
    this.#content = content
    this.#mask = mask
  }

  read(): CapturedText {
    return this.#mask.content(this.#content)
  }
}

/** The latest entries, bounded by their number and by the length of their texts. */
class Ring<T extends { characters: number }> {
  readonly list: T[] = []
  readonly #maxEntries: number
  #characters = 0

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  add(entry: T): void {
    this.list.push(entry)
    this.#characters += entry.characters
    this.#trim()
  }

  /** Counts further characters of an entry, which may have been dropped. */
  grow(entry: T, by: number): void {
    if (!this.list.includes(entry)) return
    entry.characters += by
    this.#characters += by
    this.#trim()
  }

  #trim(): void {
    while (
      this.list.length > this.#maxEntries ||
      (this.#characters > MOST_CHARACTERS && this.list.length > 1)
    )
      this.#characters -= this.list.shift()?.characters ?? 0
  }
}

function contentOf(data: unknown, maxLength: number): CapturedText {
  if (typeof data === 'string') return truncated(data, maxLength)
  if (data instanceof URLSearchParams) return truncated(data.toString(), maxLength)
  if (data instanceof FormData) return { note: `form data: ${[...new Set(data.keys())].join(', ')}` }
  if (data instanceof Blob) return { note: data.type === '' ? 'binary' : data.type, size: data.size }
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data))
    return { note: 'binary', size: data.byteLength }
  return { note: 'stream' }
}

function truncated(text: string, maxLength: number): CapturedText {
  return text.length > maxLength
    ? { text: text.slice(0, maxLength), size: text.length, isCut: true }
    : { text, size: text.length }
}

async function readUpTo({ body }: Response, maxBytes: number): Promise<CapturedText> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return truncated(text + decoder.decode(), maxBytes)
    text += decoder.decode(value, { stream: true })
    if (text.length <= maxBytes) continue
    await reader?.cancel()
    return { text: text.slice(0, maxBytes), isCut: true }
  }
}
