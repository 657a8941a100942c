// What an answer means, in words, and what to do about it.
import type { CallState, Head } from './call-state.ts'

/** What to say above an answer; nothing for one that needs no words. */
export interface AnswerWords {
  readonly tone: 'fail' | 'info'
  readonly text: string
}

const headerOf = ({ headers }: Head, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const isRelay = (head: Head): boolean =>
  headerOf(head, 'x-relay-error') === 'true' || headerOf(head, 'x-relay-header') === 'true'

function statusWords(head: Head, name: string): AnswerWords | undefined {
  const { status } = head
  if (status < 400) return undefined
  const fail = (text: string) => ({ tone: 'fail', text }) as const
  if (status === 401)
    return fail('Refused: your session was not accepted, or this function wants a token and none went along.')
  if (status === 404)
    return fail(`Not found: there is no function “${name}”, or the function itself answers so. See the body.`)
  if (status === 429) return fail('Too many calls.')
  if (isRelay(head))
    return fail('The relay in front of the functions answered, not the function: it did not run to its end.')
  if (status >= 500) return fail('The function failed. What it says of it is in the body.')
  return fail('The function refused this call. What it says of it is in the body.')
}

/** By the code of the failure, where what happened can be said better than in general. */
const BY_CODE: Readonly<Record<string, string>> = {
  blocked_offline:
    'You are offline and the token has run out: nothing was sent. Call again once you are back.',
  stalled: 'The function sent nothing for a while, and the reading was given up. What came is kept below.',
  session_ended: 'Your session ended before this was sent.',
  signed_out: 'You signed out while this was under way.',
  body_spent:
    'The token was refused, and this body can be sent only once. The session is renewed: call again.',
}

const CORS =
  ' If the host answers otherwise, the function may not let pages of this address call it with this method and these headers (CORS): browsers do not say so.'

function failureWords(call: Extract<CallState, { phase: 'failed' }>, isForeign: boolean): string {
  const { code, kind, message } = call.failure
  const [hasBegun, hasBody] = [call.head !== undefined, (call.body?.size ?? 0) > 0]
  const known = code === undefined ? undefined : BY_CODE[code]
  if (known !== undefined) return known
  if (kind === 'network')
    return hasBegun
      ? `The connection broke before the answer was complete. ${hasBody ? 'What came is kept below.' : 'Nothing of its body had come.'}`
      : `No answer came from the backend. Nothing you wrote is lost; call again once it is back.${isForeign ? CORS : ''}`
  if (kind === 'timeout') return `${message} A longer time can be set under Options.`
  return message
}

/**
 * What is to be said of a call as it stands.
 * @param isForeign the backend has another address than the page.
 */
export function answerWords(call: CallState, isForeign = false): AnswerWords | undefined {
  switch (call.phase) {
    case 'none':
    case 'sending':
      return undefined
    case 'receiving':
    case 'done':
      return statusWords(call.head, call.draft.name)
    case 'failed':
      return { tone: 'fail', text: failureWords(call, isForeign) }
    case 'stopped':
      return {
        tone: 'info',
        text: call.head
          ? 'You stopped it. What had come is kept below.'
          : 'You stopped it before an answer came.',
      }
  }
}

/** Seconds to wait, where the answer asks for it. */
export function waitOf(call: CallState): number | undefined {
  const head = call.phase === 'done' || call.phase === 'failed' ? call.head : undefined
  const text = head && headerOf(head, 'retry-after')
  if (head === undefined || text === undefined || head.status < 400) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : NaN
  return seconds > 0 && seconds < 86_400 ? seconds : undefined
}

/** A fault that was put there on purpose. */
export const faultOf = (head: Head | undefined): string | undefined =>
  head && headerOf(head, 'x-chartroom-fault')
