// What a report is about, as a fingerprint that is the same for the same failure, and a title for people.
import type { ClientStatus, ReportCause, SignedOutReason } from '../../machines/index.ts'
import {
  createRedactor,
  endProblem,
  explain,
  type ExplainedTrace,
  isExplained,
  problemKey,
  type Violation,
  withoutValues,
} from '../../trace/index.ts'

/** Longest fingerprint and title that the table accepts, in characters. */
const LONGEST = { fingerprint: 200, title: 300 } as const

const redactor = createRedactor()

const cause = (kind: ReportCause['kind'], fingerprint: string, title: string): ReportCause => ({
  kind,
  fingerprint: shortened(fingerprint, LONGEST.fingerprint),
  title: shortened(redactor.text(title), LONGEST.title),
})

/** A message without the parts that differ between occurrences. */
const stable = (message: string): string => withoutValues(redactor.text(message))

const shortened = (text: string, maxLength: number) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`
}

/** An error of the page, thrown or as the reason of a rejected promise. */
export function causeOfError(error: unknown): ReportCause {
  const text = textOfError(error)
  const place = error instanceof Error ? functionIn(error.stack) : ''
  return cause('error', `error ${text}${place === '' ? '' : ` in ${place}`}`, text)
}

/** Name and message, without what differs between occurrences. */
function textOfError(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  return `${name}: ${stable(message)}`
}

/** Whether an error of a recording, which has no stack, is the one that was reported with this fingerprint. */
export function isErrorOf(fingerprint: string, error: unknown): boolean {
  const text = shortened(`error ${textOfError(error)}`, LONGEST.fingerprint)
  return fingerprint === text || fingerprint.startsWith(`${text} in `)
}

/**
 * Name of the innermost named function of a stack, in the formats of V8 and of other browsers. Names of files
 * and lines differ between builds.
 */
function functionIn(stack = ''): string {
  for (const line of stack.split('\n')) {
    const [, name] = /^\s*at (?:async )?(?:new )?([\w$.]+) \(/.exec(line) ?? /^([\w$.]+)@/.exec(line) ?? []
    if (name !== undefined && !name.startsWith('Object.<')) return name
  }
  return ''
}

/** The session ended, and the user did not ask for it; the recording says why. */
export function causeOfSignOut(reason: SignedOutReason, trace?: ExplainedTrace): ReportCause {
  const answer = trace && explain(trace, { status: 'signedOut' })
  const title = answer && isExplained(answer) ? answer.sentence : `Signed out: ${reason}`
  return cause('signedOut', `signedOut ${reason}`, title)
}

/** The client broke one of its invariants. */
export function causeOfViolation({ invariant, actor, why }: Violation): ReportCause {
  const machine = actor.split('/').at(-1)?.split(/[.:]/)[0] ?? ''
  return cause('invariant', `invariant ${invariant} ${machine}`, `${invariant}: ${stable(why)}`)
}

/**
 * A user's own report: by the problem with which the recording ends; if it shows none, by the states of the client that
 * are not as usual.
 */
export function causeOfUser(status: ClientStatus, trace?: ExplainedTrace): ReportCause {
  const problem = trace && endProblem(trace)
  if (problem) return cause('user', `user ${problemKey(trace, problem)}`, problem.explanation.sentence)
  const states = unusualStates(status).join(', ')
  if (states === '') return cause('user', 'user', 'The recording shows no problem')
  return cause('user', `user ${states}`, upperFirst(states))
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const unusualStates = ({ session, connection, channels, network }: ClientStatus): readonly string[] => [
  ...(network === 'offline' ? ['offline'] : []),
  ...(session.phase === 'signedOut' && session.reason !== 'never' && session.reason !== 'userLocal'
    ? [`signed out: ${session.reason}`]
    : []),
  ...(session.phase === 'authenticated' && session.token.state === 'expired' ? ['token expired'] : []),
  ...(['idle', 'open'].includes(connection.phase) ? [] : [`connection ${connection.phase}`]),
  ...new Set(
    Object.values(channels)
      .filter(({ phase }) => phase === 'denied' || phase === 'retrying')
      .map(({ phase }) => `channel ${phase}`),
  ),
]
