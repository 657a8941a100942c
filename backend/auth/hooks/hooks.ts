// Runs the configured hooks and reads their answers.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import { fieldOf, textOf } from '../../shared/fields.ts'
import type { OutgoingRules } from '../../shared/outgoing.ts'
import { asUnavailable, UnavailableError } from '../../shared/unavailable.ts'
import { AuthError } from '../errors.ts'
import { callHttpHook, type HookTimes } from './http-hook.ts'
import { uriOf, type HookName, type HookSettings, type HookTarget } from './hook-settings.ts'
import { answerOf } from './repeatable.ts'

export interface HookCall {
  readonly name: HookName
  /** The fields after `metadata`. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Distinguishes calls of one transaction that run the same hook. */
  readonly key: string
  /** The source of the caller's address. */
  readonly request: Request | undefined
}

export interface Hooks {
  has(name: HookName): boolean
  /**
   * Runs a hook and returns its answer: in the transaction if it is a function, else before a repetition of it.
   * @throws AuthError if the hook refuses or fails
   */
  run(tx: Queries, call: HookCall): Promise<unknown>
}

/** Names in `metadata`, where they differ from those of config.toml. */
const METADATA_NAMES: Readonly<Record<HookName, string>> = {
  before_user_created: 'before-user-created',
  custom_access_token: 'customize-access-token',
  mfa_verification_attempt: 'mfa-verification',
  password_verification_attempt: 'password-verification',
  send_email: 'send-email',
  send_sms: 'send-sms',
}

export function createHooks(settings: HookSettings, outgoing: OutgoingRules, times: HookTimes = {}): Hooks {
  return {
    has: name => settings[name] !== undefined,
    async run(tx, call) {
      const target = settings[call.name]
      if (!target) throw new Error(`There is no hook ${call.name}`)
      const payload = JSON.stringify({ metadata: metadataOf(call), ...call.payload })
      const answer =
        'url' in target
          ? await answerOf(tx, {
              key: `${call.name} ${call.key}`,
              call: async () => parse(await callHttpHook(target, payload, outgoing, times)),
            })
          : await callFunction(tx, target, payload)
      throwRefusal(answer)
      return answer
    },
  }
}

function metadataOf({ name, request }: HookCall): Record<string, unknown> {
  return {
    uuid: randomUUID(),
    time: new Date().toISOString(),
    name: METADATA_NAMES[name],
    ip_address: request?.headers.get('x-forwarded-for') ?? '127.0.0.1',
  }
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    throw new AuthError(500, 'unexpected_failure', 'Error unmarshaling JSON output.')
  }
}

/** As in the official server: under the role of the auth server, in two seconds if the engine can interrupt. */
async function callFunction(
  tx: Queries,
  target: Extract<HookTarget, { function: string }>,
  payload: string,
): Promise<unknown> {
  const name = `"${target.schema}"."${target.function}"`
  try {
    const [row] = await tx.asRole('supabase_auth_admin', async () => {
      await tx.query(`select set_config('statement_timeout', '2000', true)`)
      return tx.query<{ answer: unknown }>(`select ${name}($1::jsonb)::jsonb as answer`, [payload])
    })
    // What follows is the owner's, in whose path a function must not place its own names.
    await tx.script('set local statement_timeout to default; set local search_path to default')
    return row?.answer ?? undefined
  } catch (thrown) {
    const error = asUnavailable(thrown)
    if (error instanceof UnavailableError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    process.emitWarning(`The auth hook ${uriOf(target)} failed: ${reason}`)
    throw new AuthError(500, 'unexpected_failure', `Error running hook URI: ${uriOf(target)}`)
  }
}

/** `{ error: { http_code, message } }`; without a message it is no refusal. */
function throwRefusal(answer: unknown): void {
  const error = fieldOf(answer, 'error')
  const message = textOf(error, 'message')
  if (!message) return
  const code = fieldOf(error, 'http_code')
  const status = typeof code === 'number' && code >= 200 && code <= 599 ? code : 500
  throw new AuthError(status, status === 500 ? 'unexpected_failure' : 'unknown', message)
}
