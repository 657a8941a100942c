// Moments at which a client reports automatically, and at which a delivery may succeed again.
import type { ClientStatus, ReportCause, SignedOutReason } from '../../machines/index.ts'
import type { ChartroomClient } from '../client/index.ts'
import { causeOfError, causeOfViolation } from './causes.ts'

/** What is reported without a user's request. */
export type ReportOn = 'error' | 'signedOut' | 'invariant'

interface Watching {
  readonly report: (cause: ReportCause) => void
  readonly reportSignOut: (reason: SignedOutReason) => void
  readonly resume: () => void
}

/** Calls `report` for what should be reported automatically, and `resume` when a delivery may succeed again. */
export function watchFor(
  client: Pick<ChartroomClient, 'recording' | 'status' | 'onStatus'>,
  on: readonly ReportOn[],
  page: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | undefined,
  { report, reportSignOut, resume }: Watching,
): () => void {
  const stops: (() => void)[] = []
  const listen = (type: string, listener: (event: Event) => void) => {
    page?.addEventListener(type, listener)
    stops.push(() => page?.removeEventListener(type, listener))
  }
  listen('online', resume)
  listen('pageshow', resume)
  if (on.includes('error')) {
    listen('error', event => {
      // Images and scripts that do not load are events without an error.
      if ('error' in event && event.error instanceof Error) report(causeOfError(event.error))
    })
    listen('unhandledrejection', event => {
      if ('reason' in event) report(causeOfError(event.reason))
    })
  }
  if (on.includes('signedOut')) {
    let before: ClientStatus = client.status()
    const check = (status: ClientStatus) => {
      const { session } = status
      const wasSignedIn = before.session.phase === 'authenticated' || before.session.phase === 'signingOut'
      before = status
      if (wasSignedIn && session.phase === 'signedOut' && !EXPECTED.includes(session.reason))
        reportSignOut(session.reason)
    }
    stops.push(client.onStatus(check))
  }
  if (on.includes('invariant'))
    stops.push(
      client.recording?.onViolation(violation => report(causeOfViolation(violation))) ?? (() => undefined),
    )
  return () => {
    for (const stop of stops) stop()
  }
}

/** The user signed out, in this tab or another one, or was not signed in. */
const EXPECTED: readonly SignedOutReason[] = ['never', 'userLocal', 'userGlobal', 'otherTab']
