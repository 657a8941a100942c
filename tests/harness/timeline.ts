// Named, composable behaviors of the world, and the timeline of what the client did in it.
import type { Failure } from '../../src/machines/failure.ts'
import type { EnvironmentEvent } from '../../src/machines/ports.ts'
import type { VirtualClock } from '../../src/testing/virtual-clock.ts'
import { scenario, type Scenario } from './scenario.ts'
import { healthy, token, type Behavior, type Script } from './scripted-ports.ts'

/** A part of the world: what some ports do. */
export type World = (clock: VirtualClock) => Partial<Behavior>

/** The response to the n-th start of a port; the last one repeats. */
const nth = <E>(answers: readonly E[], n: number): E => answers[Math.min(n, answers.length) - 1] as E

const hour = 3600

/** Storage contains a session with this many seconds left; later checks by the tab find it unchanged. */
export const stored =
  (left: number, more: { skew?: number } = {}): World =>
  clock => ({
    readSession: (_, input) =>
      input?.tokenId === undefined
        ? [[1, { type: 'stored.found', token: { ...token(clock, 1, hour), ...aged(left), ...more } }]]
        : [[0, { type: 'stored.same' }]],
  })

const aged = (left: number) => ({ receivedAt: (left - hour) * 1000, expiresAt: left * 1000 })

/** Another tab has refreshed the session in the meantime. */
export const renewedElsewhere: World = clock => ({
  readSession: (n, input) => {
    const found = stored(input?.tokenId === undefined ? 60 : hour)(clock).readSession?.(n, undefined) ?? []
    const [[, event] = []] = found
    if (input?.tokenId === undefined || event?.type !== 'stored.found') return found
    return [[0, { type: 'stored.found', token: { ...token(clock, 9, hour) } }]]
  },
})

export const limited = (seconds: number): Failure => ({
  kind: 'rateLimit',
  status: 429,
  retryAfter: seconds,
  message: 'Too many attempts.',
})
export const refused = (code: string, message = code): Failure => ({
  kind: 'auth',
  status: 400,
  code,
  message,
})
export const blocked: Failure = { kind: 'forbidden', status: 403, message: 'Blocked on the way.' }
export const unreachable: Failure = { kind: 'network', message: 'The backend cannot be reached.' }

/** Refreshes fail this way, one after the other, and then succeed; `never` is for the last one. */
export const renewals =
  (...failures: readonly Failure[]): World =>
  clock => ({
    refreshToken: n => {
      const failure = failures[n - 1]
      return failure
        ? [[20, { type: 'refresh.failed', failure }]]
        : (healthy(clock).refreshToken(n, { tokenId: '' }) satisfies Script<unknown>)
    },
  })

/** Requests are answered with these statuses; the last one repeats. */
export const answers =
  (...statuses: readonly number[]): World =>
  () => ({ send: n => [[15, { type: 'send.answered', status: nth(statuses, n) }]] })

/** The device is online and visible, except for these changes. */
export const environmentScript =
  (
    ...changes: readonly (readonly [after: number, change: Partial<{ online: boolean; visible: boolean }>])[]
  ): World =>
  () => ({
    environment: () => {
      const fine = { type: 'environment.changed', online: true, visible: true } as const
      return [
        [0, fine],
        ...changes.map(([after, change]): [number, EnvironmentEvent] => [after, { ...fine, ...change }]),
      ]
    },
  })

export interface Drawn extends Scenario {
  /** What the watched ports did, as `0s port → answer`, in order. */
  drawn(): string
}

/** The client in a world composed of parts; draws the starts and responses of the given ports. */
export function voyage(watched: readonly (keyof Behavior)[], ...parts: readonly World[]): Drawn {
  const events: string[] = []
  const all = scenario(clock => {
    const world: Partial<Behavior> = Object.assign({}, ...parts.map(part => part(clock)))
    const whole = { ...healthy(clock), ...world } as unknown as Record<
      string,
      (...args: unknown[]) => Script<{ type: string }>
    >
    const seen = watched.map(name => {
      const behave = whole[name]
      return [
        name,
        (...args: unknown[]) => {
          const script = behave?.(...args) ?? []
          events.push(
            `${seconds(clock.now())} ${name} → ${script.map(([, event]) => word(event)).join(', ') || 'silence'}`,
          )
          return script
        },
      ] as const
    })
    return { ...world, ...Object.fromEntries(seen) }
  })
  return { ...all, drawn: () => events.join(' · ') }
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10}s`

/** The event's verb, with the detail of a failure or a status. */
function word(event: { readonly type: string }): string {
  const { type, failure, status, reason } = event as {
    type: string
    failure?: Failure
    status?: number
    reason?: string
  }
  const detail = failure?.code ?? failure?.kind ?? status ?? (reason || undefined)
  return `${type.slice(type.indexOf('.') + 1)}${detail === undefined ? '' : ` ${detail}`}`
}
