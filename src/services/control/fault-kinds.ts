// The faults on this side of the line: what a client can be made to meet, whatever its host.

/** A fault. Times are in milliseconds. */
export type Fault =
  /** The device is offline and knows it: nothing goes out, and sockets break. */
  | { readonly kind: 'offline' }
  /** Nothing answers, though the device takes itself to be online. */
  | { readonly kind: 'unreachable' }
  /** Requests, answers on sockets, and what is sent on them, come later, in their order. */
  | { readonly kind: 'slow'; readonly delay: number; readonly jitter?: number }
  /** The next requests fail: with an answer of this status, or without any. */
  | { readonly kind: 'fail'; readonly times: number; readonly status?: number; readonly path?: string }
  /** Requests with the access token of this moment are refused; a new one is good. */
  | { readonly kind: 'expireToken' }
  /** The session is over for the server: its tokens are refused, and it gives no new ones. A new sign-in is good. */
  | { readonly kind: 'revoke' }
  /** Frames of sockets are lost: so many, or all of them. */
  | { readonly kind: 'dropFrames'; readonly way: 'in' | 'out' | 'both'; readonly times?: number }
  /** The time of day is off by so much. */
  | { readonly kind: 'skewClock'; readonly by: number }
  /** The browser's storage takes nothing more. */
  | { readonly kind: 'storageFull' }

export type FaultKind = Fault['kind']

/** A fault that is in force. */
export interface ActiveFault {
  /** Under which its hits stand in traces: `local.slow#3` is the third of `local.slow`. */
  readonly id: string
  readonly fault: Fault
  /** In words. */
  readonly text: string
  readonly hits: number
}

export function faultInWords(fault: Fault): string {
  switch (fault.kind) {
    case 'offline':
      return 'Offline'
    case 'unreachable':
      return 'Nothing answers'
    case 'slow':
      return `Slow by ${fault.delay}${fault.jitter ? ` to ${fault.delay + fault.jitter}` : ''} ms`
    case 'fail': {
      const how = fault.status === undefined ? 'get no answer' : `fail with ${fault.status}`
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
