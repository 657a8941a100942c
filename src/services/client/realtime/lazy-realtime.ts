// Lazy realtime: its code loads with the first channel, and channel commands wait for it.
import type { ClientCommand, clientMachine, PushSettled, Timings } from '../../../machines/index.ts'
import type { TimerHandle } from '../../runtime/index.ts'
import type { CreateRealtimeParts, RealtimeParts } from './realtime-parts.ts'
import type { RealtimeHost } from './realtime-over.ts'

export interface LazyRealtimeHost extends RealtimeHost {
  readonly timings: Timings
  load(): Promise<{ readonly createRealtimeParts: CreateRealtimeParts }>
  send(command: ClientCommand): void
  /** Reports that a push will not be sent. */
  refuse(topic: string, settled: PushSettled): void
  /** Called when the reason why there are no channels has changed. */
  changed(): void
}

type Push = Extract<ClientCommand, { type: 'channel.command' }>

const REASON = 'the realtime code could not be loaded'
const isPush = (command: ClientCommand): command is Push => command.type === 'channel.command'

export function createLazyRealtime(host: LazyRealtimeHost) {
  const { clock, timings } = host
  let install: ((create: CreateRealtimeParts) => RealtimeParts) | undefined
  let parts: RealtimeParts | undefined
  let waiting: readonly ClientCommand[] = []
  let timer: TimerHandle
  let attempt = 0
  let reason: string | undefined
  let isDisposed = false

  const refuse = ({ topic, command: { id } }: Push) => {
    if (id !== undefined) host.refuse(topic, { type: 'push.settled', id, reason: REASON, isUnsent: true })
  }
  const take = (create: CreateRealtimeParts) => {
    if (parts || isDisposed) return
    clock.clearTimeout(timer)
    reason = undefined
    parts = install?.(create)
    for (const command of waiting) host.send(command)
    waiting = []
  }
  const fail = (failed: number) => {
    if (parts || isDisposed || failed !== attempt) return
    clock.clearTimeout(timer)
    timer = clock.setTimeout(load, Math.min(timings.backoffMin * 2 ** attempt, timings.backoffMax))
    reason = REASON
    const refused = waiting.filter(isPush)
    waiting = waiting.filter(command => !isPush(command))
    refused.forEach(refuse)
    host.changed()
  }
  const load = () => {
    const now = ++attempt
    timer = clock.setTimeout(() => fail(now), timings.connectTimeout)
    host.load().then(
      ({ createRealtimeParts }) => take(createRealtimeParts),
      () => fail(now),
    )
  }

  return {
    parts: () => parts,
    /** Why there are no channels yet, if loading failed. */
    reason: () => reason,
    /** Prepares the client's machine for realtime, which is installed immediately if its code is passed. */
    prepare(client: typeof clientMachine, createParts?: CreateRealtimeParts) {
      install = create => {
        const parts = create(host)
        client.implementations.actors['realtime'] = parts.machine
        return parts
      }
      if (createParts) take(createParts)
      return client
    },
    send(command: ClientCommand) {
      if (parts) return host.send(command)
      if (reason !== undefined && isPush(command)) return refuse(command)
      waiting = [...waiting, command]
      if (attempt === 0) load()
    },
    dispose() {
      isDisposed = true
      clock.clearTimeout(timer)
    },
  }
}
