// Whether the backend accepts the API key: doubted when a request is refused for its key, confirmed by a check, and
// checked again when the user returns, asks for it or enters another key.
import { assign, sendParent, setup } from 'xstate'
import { withEvent } from './with-event.ts'
import type { KeyFamily, KeyRefusal } from './failure.ts'
import { checkKey, type CheckKeyEvent, type EnvironmentEvent } from './ports.ts'
import { isResumed, type EnvironmentState } from './refresh/schedule.ts'
import type { Timings } from './timings.ts'

export type KeyCommand =
  /** Checks whether the backend accepts the key again. */
  | { readonly type: 'key.check' }
  /** The app entered another key. */
  | { readonly type: 'key.replaced' }

/** Events of requests, refreshes and sockets. */
export type KeyReport =
  | { readonly type: 'key.refused'; readonly family: KeyFamily; readonly refusal: KeyRefusal }
  /** A service that refused the key has accepted it. */
  | { readonly type: 'key.accepted'; readonly family: KeyFamily }

export type RefusedKeys = Readonly<Partial<Record<KeyFamily, KeyRefusal>>>

/** Sent to the client when the state of the key is known or has changed. */
export type KeyChanged = { readonly type: 'key.changed'; readonly refused: RefusedKeys }

export interface ApiKeyContext extends Required<EnvironmentState> {
  readonly timings: Timings
  /** The services that refuse the key, and why. */
  readonly refused: RefusedKeys
}

/** Asked whatever refused the key: without them, little of an app works. */
const ALWAYS: readonly KeyFamily[] = ['auth', 'rest']

/** Asked as long as nothing refused the key: it answers with 200, which browsers do not report as an error. */
const PRECAUTION: readonly KeyFamily[] = ['auth']

const withResult = (refused: RefusedKeys, family: KeyFamily, refusal?: KeyRefusal): RefusedKeys => {
  const { [family]: _, ...otherFamilies } = refused
  return refusal === undefined ? otherFamilies : { ...otherFamilies, [family]: refusal }
}

type Checked = Extract<CheckKeyEvent, { type: 'key.checked' }>

const checking = {
  id: 'checkKey',
  src: 'checkKey',
  input: ({ context }: { readonly context: ApiKeyContext }) => {
    const refused = Object.keys(context.refused) as KeyFamily[]
    return { families: refused.length === 0 ? PRECAUTION : [...new Set([...ALWAYS, ...refused])] }
  },
} as const

export const apiKeyMachine = setup({
  types: {
    context: {} as ApiKeyContext,
    events: {} as KeyCommand | KeyReport | EnvironmentEvent | CheckKeyEvent,
    input: {} as { timings: Timings },
  },
  actors: { checkKey },
  delays: {
    checkTimeout: ({ context }) => context.timings.probeTimeout,
    keyTrust: ({ context }) => context.timings.keyTrust,
    keyCheckPause: ({ context }) => context.timings.keyCheckPause,
  },
  guards: {
    isRefused: ({ context }) => Object.keys(context.refused).length > 0,
    isAccepted: ({ context }) => Object.keys(context.refused).length === 0,
    isNews: ({ context }, { family, refusal }: Extract<KeyReport, { type: 'key.refused' }>) =>
      context.refused[family] !== refusal,
    isResumed: ({ context }, now: EnvironmentState) => isResumed(context, now),
  },
  actions: {
    setEnvironment: assign((_, { online, visible, frozen = false }: EnvironmentState) => {
      return { online, visible, frozen }
    }),
    setRefused: assign(({ context }, { family, refusal }: { family: KeyFamily; refusal?: KeyRefusal }) => ({
      refused: withResult(context.refused, family, refusal),
    })),
    /** A service that did not respond keeps its earlier result. */
    setResults: assign(({ context }, { results }: Pick<Checked, 'results'>) => ({
      refused: results.reduce(
        (refused, { family, refusal }) => withResult(refused, family, refusal),
        context.refused,
      ),
    })),
    notifyChanged: sendParent(({ context }) => {
      return { type: 'key.changed', refused: context.refused } satisfies KeyChanged
    }),
  },
}).createMachine({
  id: 'apiKey',
  context: ({ input }) => ({ ...input, online: true, visible: true, frozen: false, refused: {} }),
  initial: 'accepted',
  on: {
    'environment.changed': { actions: withEvent('setEnvironment') },
    'key.refused': { actions: withEvent('setRefused') },
    'key.replaced': '.checking',
  },
  states: {
    accepted: {
      description: 'No request was refused for its key.',
      on: {
        'key.refused': { target: 'checking', actions: withEvent('setRefused') },
        'key.check': 'checking',
      },
    },
    checking: {
      description:
        'A request was refused for its key, or the key is new. A text alone may be an app’s own, so the services are asked.',
      invoke: checking,
      after: { checkTimeout: 'deciding' },
      on: {
        'key.checked': { target: 'deciding', actions: withEvent('setResults') },
        'port.broken': 'deciding',
      },
    },
    deciding: {
      entry: 'notifyChanged',
      always: [{ guard: 'isRefused', target: 'rejected' }, { target: 'trusted' }],
    },
    trusted: {
      description: 'A check has just found the key accepted: no refusal is checked for a while.',
      after: { keyTrust: [{ guard: 'isRefused', target: 'checking' }, { target: 'accepted' }] },
      on: { 'key.check': 'checking' },
    },
    rejected: {
      description: 'The backend refuses the key. Nothing is checked until the page is visible.',
      initial: 'resting',
      on: {
        'key.refused': {
          guard: withEvent('isNews'),
          actions: [withEvent('setRefused'), 'notifyChanged'],
        },
        'key.check': '.rechecking',
        'key.replaced': '.rechecking',
      },
      states: {
        resting: {
          description: 'It was checked a moment ago.',
          after: { keyCheckPause: 'watching' },
        },
        watching: {
          description: 'Waits for the user to return, or for the network.',
          on: {
            // Its request may have been sent before the key was refused.
            'key.accepted': 'rechecking',
            'environment.woke': 'rechecking',
            'environment.changed': [
              { guard: withEvent('isResumed'), target: 'rechecking', actions: withEvent('setEnvironment') },
              { actions: withEvent('setEnvironment') },
            ],
          },
        },
        rechecking: {
          invoke: checking,
          after: { checkTimeout: 'resting' },
          on: {
            'key.checked': { target: '#apiKey.deciding', actions: withEvent('setResults') },
            'port.broken': 'resting',
          },
        },
      },
    },
  },
})
