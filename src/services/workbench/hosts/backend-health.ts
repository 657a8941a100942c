// Runs the health machine of a client's backend, and derives the backend's status from it and from the client.
import { fromCallback, type EventObject } from 'xstate'
import { isEqual, Listeners } from '../../../trace/index.ts'
import { backendHealthMachine, type BackendChecked } from '../../../machines/workbench/backend-health.ts'
import { type ChartroomClient, retryAfterOf } from '../../client/index.ts'
import { attachedRecording, type AttachedRecording, recordUnwritten } from '../../recording/index.ts'
import { workbenchSystem } from '../systems/workbench-system.ts'
import { backendTrouble, type BackendTrouble } from './backend-status.ts'
import type { HostMonitor } from './host-monitor.ts'

export interface BackendHealth {
  /** The present trouble; the same object while it does not change. */
  readonly trouble: () => BackendTrouble | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** Calls back each time the backend responds again. */
  readonly onRecovered: (listener: () => void) => () => void
  /** Checks at once. */
  readonly retry: () => void
  /** Checks if there was no response for a while, such as when the user returns to the page. */
  readonly confirm: () => void
  /** For a console. */
  readonly recording: AttachedRecording
}

interface HealthOptions {
  readonly client: ChartroomClient
  /** The public API key at present. */
  readonly key: () => string
  readonly monitor: HostMonitor
}

/** A backend that responded within this time in ms is not checked when the user returns. */
const LATELY_MS = 30_000

/** Creates the health of a client's backend; it ends with the client. */
export function createBackendHealth({ client, key, monitor }: HealthOptions): BackendHealth {
  const now = () => client.now()
  const checkBackend = fromCallback<EventObject, { readonly timeout: number }, BackendChecked>(
    ({ input: { timeout }, sendBack }) => {
      const left = new AbortController()
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(timeout)])
      monitor.fetch(`${client.url}/auth/v1/settings`, { headers: { apikey: key() }, signal }).then(
        response => {
          const retryAfter = retryAfterOf(response)
          response.body?.cancel().catch(() => undefined)
          const { status } = response
          sendBack({
            type: 'check.answered',
            at: now(),
            status,
            ...(retryAfter === undefined ? {} : { retryAfter }),
          })
        },
        () => sendBack({ type: 'check.failed', at: now() }),
      )
      return () => left.abort()
    },
  )
  const machine = backendHealthMachine.provide({ actors: { checkBackend } })
  const unwritten = recordUnwritten(machine, { system: workbenchSystem('backendHealth') })
  const { actor } = unwritten
  const listeners = new Listeners()
  const recoveries = new Listeners()
  let answeredAt: number | undefined
  let trouble: BackendTrouble | undefined
  let status = client.status()
  const update = () => {
    const derived = backendTrouble(actor.getSnapshot(), status)
    const before = derived?.fault === trouble?.fault ? trouble?.since : undefined
    const next = derived && { ...derived, since: derived.since ?? before ?? now() }
    if (isEqual(next, trouble)) return
    trouble = next
    listeners.notify()
  }
  const check = () => actor.send({ type: 'backend.check', at: now() })
  /** Ends the pause of a refresh. A lost socket reconnects by its own schedule. */
  const resume = () => {
    const { session } = status
    const token = session.phase === 'authenticated' ? session.token.state : 'fresh'
    if (token === 'delayed' || token === 'expired') void client.auth.refresh()
  }
  actor.subscribe(update)
  actor.on('backend.recovered', () => {
    resume()
    recoveries.notify()
  })
  actor.start()
  const unwatch = monitor.onCall(call => {
    const at = now()
    if (call.type === 'backend.answered') answeredAt = at
    actor.send({ ...call, at })
  })
  client.onStatus(next => {
    const { network, connection, key: before } = status
    status = next
    if (next.session.phase === 'disposed') {
      unwatch()
      actor.stop()
      return
    }
    if (next.network !== network)
      actor.send({ type: 'device.changed', online: next.network === 'online', at: now() })
    if (next.key.state !== before.state)
      actor.send({ type: 'backend.keyChanged', rejected: next.key.state === 'rejected', at: now() })
    // A lost socket is the first sign on a page that makes no calls.
    if (next.connection.phase === 'reconnecting' && connection.phase !== 'reconnecting') check()
    update()
  })
  return {
    trouble: () => trouble,
    subscribe: listeners.subscribe,
    onRecovered: recoveries.subscribe,
    retry: () => {
      if (status.key.state === 'rejected') return client.checkKey()
      // Without a response to anything, there is nothing to resume yet.
      if (actor.getSnapshot().matches('responding')) resume()
      check()
    },
    confirm: () => {
      // The first calls of a page are about to be sent, and show as much as a check.
      if (answeredAt === undefined) return actor.send({ type: 'backend.called', at: now() })
      if (now() - answeredAt < LATELY_MS) return
      check()
      if (status.key.state === 'rejected') client.checkKey()
    },
    recording: attachedRecording(unwritten),
  }
}

const healths = new WeakMap<object, BackendHealth>()

export const keepBackendHealth = (client: object, health: BackendHealth): void =>
  void healths.set(client, health)

/** Undefined for clients that the app did not create, such as in tests. */
export const backendHealthOf = (client: object): BackendHealth | undefined => healths.get(client)
