// Titles and inputs of each fault.
import type { Fault, FaultKind } from '../../../services/control/index.ts'

interface FaultInput {
  readonly label: string
  readonly unit: string
  readonly initial: number
  readonly min: number
  readonly max: number
  readonly step: number
}

export interface FaultForm {
  readonly kind: FaultKind
  readonly title: string
  readonly text: string
  readonly inputs: readonly FaultInput[]
  /** Creates the fault from the input values, in order. */
  readonly make: (values: readonly number[]) => Fault
}

const input = (
  label: string,
  unit: string,
  initial: number,
  min: number,
  max: number,
  step = 1,
): FaultInput => ({
  label,
  unit,
  initial,
  min,
  max,
  step,
})

/** In panel order. */
export const FAULT_FORMS: readonly FaultForm[] = [
  {
    kind: 'offline',
    title: 'Offline',
    text: 'the device reports offline; sockets disconnect',
    inputs: [],
    make: () => ({ kind: 'offline' }),
  },
  {
    kind: 'unreachable',
    title: 'No response',
    text: 'requests never complete; the device still reports online',
    inputs: [],
    make: () => ({ kind: 'unreachable' }),
  },
  {
    kind: 'slow',
    title: 'Slow network',
    text: 'requests and socket frames are delayed',
    inputs: [input('delay', 'ms', 800, 0, 60_000, 100), input('plus up to', 'ms', 400, 0, 60_000, 100)],
    make: ([delay = 0, jitter = 0]) => ({ kind: 'slow', delay, jitter }),
  },
  {
    kind: 'fail',
    title: 'Fail the next requests',
    text: 'status 0 = no response',
    inputs: [input('count', '×', 3, 1, 1_000), input('status', '', 503, 0, 599)],
    make: ([times = 1, status = 0]) => ({ kind: 'fail', times, ...(status >= 200 && { status }) }),
  },
  {
    kind: 'expireToken',
    title: 'Expire the token now',
    text: 'the current token is rejected; a new one works',
    inputs: [],
    make: () => ({ kind: 'expireToken' }),
  },
  {
    kind: 'revoke',
    title: 'Revoke the session',
    text: 'all tokens are rejected and none are issued until the next sign-in',
    inputs: [],
    make: () => ({ kind: 'revoke' }),
  },
  {
    kind: 'dropFrames',
    title: 'Drop socket frames',
    text: 'both directions; 0 = all',
    inputs: [input('count', '×', 0, 0, 10_000)],
    make: ([times = 0]) => ({ kind: 'dropFrames', way: 'both', ...(times > 0 && { times }) }),
  },
  {
    kind: 'skewClock',
    title: 'Clock skew',
    text: 'shifts the time of day the app sees; negative = behind',
    inputs: [input('seconds', 's', 300, -86_400, 86_400, 30)],
    make: ([seconds = 0]) => ({ kind: 'skewClock', by: seconds * 1000 }),
  },
  {
    kind: 'storageFull',
    title: 'Storage full',
    text: 'the session cannot be stored in the browser',
    inputs: [],
    make: () => ({ kind: 'storageFull' }),
  },
]
