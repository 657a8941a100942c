// Routes of a followed project: its state as JSON, a reset, and its first user.
import type { Database } from '../database/index.ts'
import { gatewayError } from '../shared/errors.ts'
import { fieldOf, textOf } from '../shared/fields.ts'
import type { ProjectFollower } from './follow.ts'

export interface ProjectRoutesOptions {
  readonly follower: ProjectFollower
  readonly database: Database
  /** Creates a confirmed user, with hooks and triggers, as an admin of auth does. */
  readonly createUser: (account: NewAccount) => Promise<Response>
  /** Aborted when the backend stops or is reset, so that waiting requests end. */
  readonly stopping: AbortSignal
}

export interface NewAccount {
  readonly email: string
  readonly password: string
}

const PATH = '/_chartroom/project'
const HEADERS = { 'cache-control': 'no-store' }
const LONGEST_SECONDS = 30

/** Handles `/_chartroom/project`, `/reset` and `/users` below it; the gateway refuses other origins and machines. */
export function createProjectRoutes(options: ProjectRoutesOptions): (request: Request) => Promise<Response> {
  return async request => {
    const { pathname } = new URL(request.url)
    const isPost = request.method === 'POST'
    if (pathname === PATH && request.method === 'GET') return answerStatus(options, request)
    if (pathname === `${PATH}/reset` && isPost) return reset(options)
    if (pathname === `${PATH}/users` && isPost) return addUser(options, request)
    return gatewayError(405, 'Method Not Allowed')
  }
}

/** With `?since=REVISION&wait=SECONDS`, waits until there is another revision. */
async function answerStatus(
  { follower, stopping }: ProjectRoutesOptions,
  request: Request,
): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const since = searchParams.get('since')
  const seconds = Number(searchParams.get('wait') ?? 0)
  await follower.refresh()
  if (String(follower.status().revision) === since && seconds > 0)
    await nextChange(
      follower,
      Math.min(seconds, LONGEST_SECONDS),
      AbortSignal.any([request.signal, stopping]),
    )
  // A connection that stays open for another request would delay the stop.
  return Response.json(follower.status(), {
    headers: { ...HEADERS, ...(stopping.aborted ? { connection: 'close' } : {}) },
  })
}

function nextChange(follower: ProjectFollower, seconds: number, disconnected: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      disconnected.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, seconds * 1_000)
    const unsubscribe = follower.subscribe(end)
    disconnected.addEventListener('abort', end)
    if (disconnected.aborted) end()
  })
}

async function reset({ follower }: ProjectRoutesOptions): Promise<Response> {
  try {
    await follower.reset()
    return Response.json(follower.status(), { headers: HEADERS })
  } catch (error) {
    return gatewayError(409, error instanceof Error ? error.message : 'The reset failed.')
  }
}

async function addUser(options: ProjectRoutesOptions, request: Request): Promise<Response> {
  const account: unknown = await request.json().catch(() => undefined)
  const [email = '', password = ''] = [textOf(account, 'email')?.trim(), textOf(account, 'password')]
  if (email === '' || password === '') return gatewayError(400, 'Enter an email address and a password.')
  const response = await options.createUser({ email, password })
  if (response.ok) {
    await options.follower.refresh()
    return Response.json({ email }, { status: 201, headers: HEADERS })
  }
  const body: unknown = await response.json().catch(() => undefined)
  const message = textOf(body, 'msg') ?? textOf(body, 'message') ?? 'The user could not be created.'
  const isOfDatabase = textOf(body, 'error_code') === 'unexpected_failure'
  const words = isOfDatabase ? await refusalOfDatabase(options.database, email) : undefined
  return gatewayError(response.status, words ?? message)
}

/**
 * PostgreSQL's own words, which auth does not pass on: they are those of a trigger of the project. A user is inserted
 * again, and rolled back in any case.
 */
async function refusalOfDatabase(database: Database, email: string): Promise<string | undefined> {
  const undo = new Error('undo')
  try {
    await database.owner(async tx => {
      await tx.query(
        `insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_app_meta_data,
           raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change_token_new,
           email_change)
         values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', $1, now(),
           '{"provider":"email","providers":["email"]}', '{"email_verified":true}', now(), now(), '', '', '', '')`,
        [email.toLowerCase()],
      )
      throw undo
    })
  } catch (error) {
    if (error === undo || !(error instanceof Error)) return undefined
    const where = textOf(error, 'where') ?? fieldOf(error, 'where')
    const [place] = typeof where === 'string' ? where.split('\n') : []
    const detail = textOf(error, 'detail')
    const sentences = [error.message, detail, place].filter(text => text !== undefined && text !== '')
    return sentences.map(text => `${text}`.replace(/[^.]$/, '$&.')).join(' ')
  }
  return undefined
}
