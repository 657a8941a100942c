// Calls the official auth methods and converts their errors to failures that can be shown.
import { type ChartroomClient, describeFailure, type Failure, loadSupabase } from '../../client/index.ts'
import { hostMonitorOf } from '../hosts/host-monitors.ts'
import { passkeyFailure } from './passkeys.ts'

type Auth = ChartroomClient['supabase']['auth']

export type Called<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

interface Answer {
  readonly data: unknown
  readonly error: unknown
}

/** Never throws. A failure carries the wait that the server asked for, if any. */
export const callAuth = async <A extends Answer>(
  client: Pick<ChartroomClient, 'supabase' | 'status' | 'auth'>,
  call: (auth: Auth) => Promise<A>,
): Promise<Called<NonNullable<A['data']>>> => {
  const mark = hostMonitorOf(client)?.mark() ?? 0
  const isLoaded = await loadSupabase().then(
    () => true,
    () => false,
  )
  if (!isLoaded) return { ok: false, failure: MISSING }
  try {
    const { data, error } = await call(client.supabase.auth)
    if (error === null || error === undefined) return { ok: true, value: data as NonNullable<A['data']> }
    return { ok: false, failure: await explain(client, error, mark) }
  } catch (error) {
    return { ok: false, failure: await explain(client, error, mark) }
  }
}

const MISSING: Failure = {
  kind: 'network',
  code: 'part_not_loaded',
  message: 'A part of this app could not be loaded.',
}

const GONE: Failure = {
  kind: 'auth',
  code: 'session_not_found',
  message: 'The backend no longer knows this session.',
}

/** An error that reports a missing session does not end it: a refresh does, with the server's reason. */
const explain = async (
  client: Pick<ChartroomClient, 'status' | 'auth'>,
  error: unknown,
  mark: number,
): Promise<Failure> => {
  const isGone = error instanceof Error && error.name === 'AuthSessionMissingError'
  if (!isGone || client.status().session.phase !== 'authenticated') return exactly(client, error, mark)
  void client.auth.refresh()
  return GONE
}

/** The error of a call that is not a sign-in lacks Retry-After, which the host monitor has seen. */
const exactly = async (
  client: Pick<ChartroomClient, 'status'>,
  error: unknown,
  mark: number,
): Promise<Failure> => {
  const failure = passkeyFailure(error) ?? (await describeFailure(error))
  const retryAfter = failure.retryAfter ?? hostMonitorOf(client)?.waitSince(mark, failure.status ?? 0)
  return retryAfter === undefined ? failure : { ...failure, retryAfter }
}
