// Twenty changes planted in our machines, one each, as a developer might make them by mistake.
import { createMachine, type AnyStateMachine } from 'xstate'
import { altered } from './mutants.ts'

/** A part of a machine's config, to be changed in place. */
type Config = { [key: string]: Config }

/** One planted change. */
export interface PlantedChange {
  readonly what: string
  /** The path of the machine from the root: `requests.request`. */
  readonly at: string
  readonly plant: (machine: AnyStateMachine) => AnyStateMachine
  /** What the report must name: machine, path of the state, and the event or the part of the state. */
  readonly expectedCause: readonly [machine: string, state: string, event: string]
}

/** The whole system with the change in it. */
export const withChange = (root: AnyStateMachine, { at, plant }: PlantedChange) => altered(root, at, plant)

/** The same machine with another config; its implementations stay. */
const reconfigured =
  (change: (config: Config) => void) =>
  (machine: AnyStateMachine): AnyStateMachine => {
    const config = copied(machine.config) as Config
    change(config)
    return createMachine(config as never, machine.implementations as never) as unknown as AnyStateMachine
  }

/** Another delay with the same name. */
const redelayed =
  (name: string, factor: number) =>
  (machine: AnyStateMachine): AnyStateMachine => {
    const delay = machine.implementations.delays[name] as (args: unknown, params: unknown) => number
    return machine.provide({
      delays: { [name]: (args: unknown, params: unknown) => factor * delay(args, params) },
    })
  }

/** A guard that returns the opposite. */
const flipped =
  (name: string) =>
  (machine: AnyStateMachine): AnyStateMachine => {
    const guard = machine.implementations.guards[name] as (args: unknown, params: unknown) => boolean
    return machine.provide({ guards: { [name]: (args: unknown, params: unknown) => !guard(args, params) } })
  }

/** Code is not changed. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item)]))
}

/** The state at a path. */
function state(config: Config, path: string): Config {
  return path.split('.').reduce((at, key) => at['states']?.[key] ?? {}, config)
}

/** Turns one value or many into a list. */
function without(list: unknown, at: number): never {
  return (list as readonly unknown[]).filter((_, index) => index !== at) as never
}

const as = (value: unknown) => value as never

export const plantedChanges: readonly PlantedChange[] = [
  {
    what: 'a failed sign-in is no longer handled',
    at: 'session',
    plant: reconfigured(config => delete state(config, 'authenticating')['on']?.['auth.failed']),
    expectedCause: ['session', 'authenticating', 'auth.failed'],
  },
  {
    what: 'a signed-in user is treated as signed out',
    at: 'session',
    plant: reconfigured(config => {
      const on = state(config, 'authenticating')['on'] as Config
      ;(on['auth.succeeded'] as Config)['target'] = as('signedOut')
    }),
    expectedCause: ['session', 'authenticating', 'auth.succeeded'],
  },
  {
    what: 'signing out has another name',
    at: 'session',
    plant: reconfigured(config => {
      const on = config['on'] as Config
      on['session.sign_out'] = on['session.signOut'] as Config
      delete on['session.signOut']
    }),
    expectedCause: ['session', '', 'session.signOut'],
  },
  {
    what: 'a rate limit is treated like any failure',
    at: 'refresh',
    plant: flipped('isRateLimited'),
    expectedCause: ['refresh', 'active.schedule.inFlight', 'done attempt'],
  },
  {
    what: 'the pause after a failure is twice as long',
    at: 'refresh',
    plant: redelayed('retryDelay', 2),
    expectedCause: ['refresh', 'active.schedule.backingOff', 'after retryDelay'],
  },
  {
    what: 'storage is checked after the pause',
    at: 'refresh',
    plant: reconfigured(config => {
      ;(state(config, 'active.schedule.backingOff')['after'] as Config)['retryDelay'] = as('wakeCheck')
    }),
    expectedCause: ['refresh', 'active.schedule.backingOff', 'after retryDelay'],
  },
  {
    what: 'the time of the next retry is not stored',
    at: 'refresh',
    plant: reconfigured(config => {
      const tick = state(config, 'active.schedule.backingOff')['on']?.['clock.tick'] as Config
      tick['actions'] = without(tick['actions'], 1)
    }),
    expectedCause: ['refresh', 'active.schedule.backingOff', 'clock.tick'],
  },
  {
    what: 'a requested refresh is not forced',
    at: 'refresh',
    plant: reconfigured(config => delete state(config, 'active.schedule')['on']?.['refresh.request']),
    expectedCause: ['refresh', 'active.schedule', 'refresh.request'],
  },
  {
    what: 'storage is not read under the lock',
    at: 'refresh.attempt',
    plant: reconfigured(config => delete state(config, 'locked.rereading')['invoke']),
    expectedCause: ['attempt', 'locked.rereading', 'invoke'],
  },
  {
    what: 'a held lock leads straight to the request',
    at: 'refresh.attempt',
    plant: reconfigured(config => {
      ;(state(config, 'locked.locking')['on'] as Config)['lock.held'] = as('refreshing')
    }),
    expectedCause: ['attempt', 'locked.locking', 'lock.held'],
  },
  {
    what: 'no tab waits long for a lock',
    at: 'refresh.attempt',
    plant: reconfigured(config => {
      ;(state(config, 'locked.locking')['after'] as Config)[5] = as('refreshing')
    }),
    expectedCause: ['attempt', 'locked.locking', 'after 5'],
  },
  {
    what: 'a failed request is not retried',
    at: 'requests.request',
    plant: reconfigured(config => {
      const on = state(config, 'exchanging')['on'] as Config
      on['send.failed'] = without(on['send.failed'], 0)
    }),
    expectedCause: ['request', 'exchanging', 'send.failed'],
  },
  {
    what: 'a successful response is treated as a failure',
    at: 'requests.request',
    plant: flipped('isComplete'),
    expectedCause: ['request', 'exchanging', 'send.answered'],
  },
  {
    what: 'attempts are not counted',
    at: 'requests.request',
    plant: reconfigured(config => delete state(config, 'exchanging')['entry']),
    expectedCause: ['request', 'exchanging', 'entry'],
  },
  {
    what: 'a retry delay ends in waiting for a token',
    at: 'requests.request',
    plant: reconfigured(config => {
      ;(state(config, 'backingOff')['after'] as Config)['retryDelay'] = as('awaitingToken')
    }),
    expectedCause: ['request', 'backingOff', 'after retryDelay'],
  },
  {
    what: 'a request gets half the time',
    at: 'requests.request',
    plant: redelayed('requestTimeout', 0.5),
    expectedCause: ['request', 'exchanging.sending', 'after requestTimeout'],
  },
  {
    what: 'an electing tab becomes a follower at once',
    at: 'tab',
    plant: reconfigured(config => {
      state(config, 'awake.competing')['initial'] = as('follower')
    }),
    expectedCause: ['tab', 'awake.competing', 'initial'],
  },
  {
    what: 'a socket that closes is probed',
    at: 'realtime.connection',
    plant: reconfigured(config => {
      const on = state(config, 'attached')['on'] as Config
      on['socket.closed'] = as('classifying')
    }),
    expectedCause: ['connection', 'attached', 'socket.closed'],
  },
  {
    what: 'a rejected join is treated as joined',
    at: 'realtime.channel',
    plant: flipped('isDenied'),
    expectedCause: ['channel', 'membership.classifying', 'always'],
  },
  {
    what: 'a request that waits for a token does not receive the new one',
    at: '',
    plant: reconfigured(config => {
      const rotated = (config['on'] as Config)['token.rotated'] as Config
      rotated['actions'] = without(rotated['actions'], 3)
    }),
    expectedCause: ['client', '', 'token.rotated'],
  },
]
