// The two servers that a conversation is sent to: the embedded backend, and an original.
import { startBackend, type BackendOptions } from '../../../backend/index.ts'
import { CLI_KEYS } from '../../../backend/keys/index.ts'
import { signToken, type Exchange } from './conversation.ts'
import { takeFrom, type MailSink, type ReceivedMail } from './mail-sink.ts'

export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

export interface Server {
  /** The URL before the paths of conversations. */
  readonly base: string
  send(request: SentRequest): Promise<Exchange>
  takeMail(to: string): Promise<ReceivedMail | undefined>
  stop(): Promise<void>
}

/** The secret of a local stack, which the original must have, too. */
export const JWT_SECRET = CLI_KEYS.jwtSecret

/** A token of the service role for both servers. */
export function serviceToken(): string {
  return signToken({ iss: 'supabase-demo', role: 'service_role', exp: 1_983_812_996 }, JWT_SECRET)
}

export interface OurServer extends Server {
  /** Set if `databaseAccess` is. */
  readonly databaseUrl: string | undefined
}

/** Starts the embedded backend in memory. `service` is the path of a family, such as `auth/v1`. */
export async function startOurs(options: Partial<BackendOptions>, service: string): Promise<OurServer> {
  const backend = await startBackend({ data: 'memory', keys: 'cli', port: 0, ...options })
  const base = `${backend.url}/${service}`
  const seen = new Set<number>()
  return {
    base,
    databaseUrl: backend.databaseUrl,
    // The gateway requires a key of every request.
    send: request => exchange(base, request, { apikey: backend.publishableKey }),
    takeMail: to => {
      const mail = backend.inbox
        .messages(to)
        .toReversed()
        .find(({ id }) => !seen.has(id))
      if (!mail) return takeFrom([], to)
      seen.add(mail.id)
      return Promise.resolve({ to, code: mail.otp, link: mail.link ?? '' })
    },
    stop: () => backend.stop(),
  }
}

/** A running original, whose emails arrive in the sink. */
export function connectOriginal(base: string, mails: MailSink | undefined): Server {
  return {
    base,
    send: request => exchange(base, request, {}),
    takeMail: to => mails?.take(to) ?? Promise.resolve(undefined),
    stop: () => Promise.resolve(mails?.close()),
  }
}

async function exchange(
  base: string,
  request: SentRequest,
  added: Readonly<Record<string, string>>,
): Promise<Exchange> {
  const { headers } = request
  const { bytes, ...answer } = await sendTo(base, { ...request, headers: { ...added, ...headers } })
  return { ...answer, body: parseBody(bytes.toString()) }
}

export interface Answer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Unpacked. */
  readonly bytes: Buffer
}

/** Sends a request unchanged, and does not follow redirects. */
export async function sendTo(base: string, { method, path, headers, body }: SentRequest): Promise<Answer> {
  const init = { method, headers, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) }
  const response = await fetch(base + path, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), bytes }
}

/** Parsed JSON, else the text. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
