// One call of the official auth methods, with its failure as one that can be shown.
import { describeFailure, type ChartroomClient, type Failure } from '../../../index.ts'

type Auth = ChartroomClient['supabase']['auth']

export type Called<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

interface Answer {
  readonly data: unknown
  readonly error: unknown
}

/** Never throws; a wait that the server asked for is told where the machine heard of it. */
export const callAuth = async <A extends Answer>(
  client: Pick<ChartroomClient, 'supabase' | 'status'>,
  call: (auth: Auth) => Promise<A>,
): Promise<Called<NonNullable<A['data']>>> => {
  try {
    const { data, error } = await call(client.supabase.auth)
    if (error === null || error === undefined) return { ok: true, value: data as NonNullable<A['data']> }
    return { ok: false, failure: await exactly(client, error) }
  } catch (error) {
    return { ok: false, failure: await exactly(client, error) }
  }
}

/** The official errors drop Retry-After; the session machine keeps it. */
const exactly = async (client: Pick<ChartroomClient, 'status'>, error: unknown): Promise<Failure> => {
  const told = await describeFailure(error)
  const { session } = client.status()
  const heard = session.phase === 'signedOut' ? session.failure : undefined
  const isIt = heard !== undefined && heard.code === told.code && heard.status === told.status
  return isIt && told.code !== undefined ? { ...told, ...heard } : told
}
