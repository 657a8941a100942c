// Client-side faults, which work with any backend.

/** A fault. Times are in milliseconds. */
export type Fault =
  /** The device is offline and reports it: no requests are sent, and sockets close. */
  | { readonly kind: 'offline' }
  /** No requests complete, although the device reports being online. */
  | { readonly kind: 'unreachable' }
  /** Requests and frames in both directions are delayed, in order. */
  | { readonly kind: 'slow'; readonly delay: number; readonly jitter?: number }
  /** The next requests fail, with a response of this status or without a response. */
  | { readonly kind: 'fail'; readonly times: number; readonly status?: number; readonly path?: string }
  /** Requests with the current access token are rejected; a new token works. */
  | { readonly kind: 'expireToken' }
  /**
   * The server has ended the session: its tokens are rejected and cannot be refreshed. A new sign-in works.
   */
  | { readonly kind: 'revoke' }
  /** Frames are lost: this many, or all. */
  | { readonly kind: 'dropFrames'; readonly way: 'in' | 'out' | 'both'; readonly times?: number }
  /** Offset of the wall clock. */
  | { readonly kind: 'skewClock'; readonly by: number }
  /** Browser storage is full. */
  | { readonly kind: 'storageFull' }

/** Kind of a client-side fault. */
export type FaultKind = Fault['kind']

/** An active fault. */
export interface ActiveFault {
  /** Id of the hits in traces: `local.slow#3` is the third hit of `local.slow`. */
  readonly id: string
  readonly fault: Fault
  /** Description for the UI. */
  readonly text: string
  readonly hits: number
}

export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'offline':
      return 'Offline'
    case 'unreachable':
      return 'No response'
    case 'slow':
      return `Slow by ${fault.delay}${fault.jitter ? ` to ${fault.delay + fault.jitter}` : ''} ms`
    case 'fail': {
      const how = fault.status === undefined ? 'get no response' : `fail with ${fault.status}`
      const which = `next ${fault.times === 1 ? 'request' : `${fault.times} requests`}`
      return `The ${which}${fault.path === undefined ? '' : ` to ${fault.path}`} ${fault.times === 1 ? how.replace(/^(get|fail)/, '$1s') : how}`
    }
    case 'expireToken':
      return 'The token has expired'
    case 'revoke':
      return 'The session is revoked'
    case 'dropFrames': {
      const frames = { in: 'incoming', out: 'outgoing', both: 'all' }[fault.way]
      return `${fault.times === undefined ? `${frames} frames are` : `The next ${fault.times} ${frames} frames are`} lost`
    }
    case 'skewClock':
      return `Clock ${Math.abs(fault.by) / 1000} s ${fault.by < 0 ? 'behind' : 'ahead'}`
    case 'storageFull':
      return 'Storage is full'
  }
}
