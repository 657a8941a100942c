// What a report is about, as a fingerprint that is the same for the same failure, and a title for people.
import type { ClientStatus, ReportCause, SignedOutReason } from '../../machines/index.ts'
import { createRedactor, type Violation } from '../../trace/index.ts'

/** Longest fingerprint and title that the table accepts, in characters. */
const LONGEST = { fingerprint: 200, title: 300 } as const

const redactor = createRedactor()

const cause = (kind: ReportCause['kind'], fingerprint: string, title: string): ReportCause => ({
  kind,
  fingerprint: shortened(fingerprint, LONGEST.fingerprint),
  title: shortened(redactor.text(title), LONGEST.title),
})

const shortened = (text: string, most: number) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`
}

/**
 * Parts of messages that differ between occurrences of the same failure, and can identify a user: addresses,
 * emails, ids, quoted values and numbers.
 */
const VARIABLE: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/\b[a-z][a-z+.-]{1,20}:\/\/\S+/gi, 'URL'],
  [/(?<![^\s@"'<>()])[^\s@"'<>()]+@[^\s@"'<>()]+/g, 'EMAIL'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, 'ID'],
  [/"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`|“[^“”]{0,200}”/g, '"…"'],
  [/\b(?=\w*\d)\w{16,}\b/g, 'ID'],
  [/\d+(?:[.,]\d+)*/g, 'N'],
]

/** A message without the parts that differ between occurrences. */
const stable = (message: string): string =>
  VARIABLE.reduce((text, [pattern, by]) => text.replace(pattern, by), redactor.text(message))

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

/** The session ended, and the user did not ask for it. */
export const causeOfSignOut = (reason: SignedOutReason): ReportCause =>
  cause('signedOut', `signedOut ${reason}`, `Signed out: ${reason}`)

/** The client broke one of its invariants. */
export function causeOfViolation({ invariant, actor, why }: Violation): ReportCause {
  const machine = actor.split('/').at(-1)?.split(/[.:]/)[0] ?? ''
  return cause('invariant', `invariant ${invariant} ${machine}`, `${invariant}: ${stable(why)}`)
}

/** A user's own report: by the states that are not as usual. */
export function causeOfUser({ session, connection, channels, network }: ClientStatus): ReportCause {
  const states = [
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
  const summary = states.join(', ')
  return cause(
    'user',
    `user ${summary}`,
    summary === '' ? 'Reported by a user' : `Reported by a user: ${summary}`,
  )
}
