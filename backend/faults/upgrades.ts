// Faults on upgrades: delays, refuses or drops a socket before it opens.
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { callerOf } from './caller.ts'
import { knownCode } from './codes/known-codes.ts'
import { FAULT_HEADER } from './http.ts'
import type { Effect, Engine } from './engine.ts'
import type { HeldAnswer } from './held-requests.ts'
import type { Pauses } from './pauses.ts'

/** What the gateway can do with an upgrade request. */
export interface Door {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly url: URL
  open(): void
  refuse(status: number, message: string, headers: Readonly<Record<string, string>>): void
}

const REFUSED = 503

/** Performs the upgrade, unless the plan prevents it. */
export function createUpgradeFaults(engine: Engine, pauses: Pauses): (door: Door) => void {
  return door => {
    const { url } = door
    const effect = engine.decide({
      family: 'realtime',
      event: 'upgrade',
      method: 'GET',
      path: url.pathname,
      query: url.searchParams,
      caller: callerOf(url.searchParams.get('apikey')),
    })
    if (effect) disturb(door, effect, pauses).catch(() => door.socket.destroy())
    else door.open()
  }
}

async function disturb(door: Door, effect: Effect, pauses: Pauses): Promise<void> {
  await pauses.wait(effect.wait)
  const released = await Promise.all(effect.holds.map(hold => hold.released))
  if (door.socket.destroyed) return
  if (effect.lost)
    return door.socket instanceof Socket ? void door.socket.resetAndDestroy() : void door.socket.destroy()
  const answer = released.find(one => one !== undefined) ?? effect.answer
  if (answer) refuse(door, answer, effect.label)
  else door.open()
}

function refuse(door: Door, { status, message, code, retryAfter }: HeldAnswer, label: string): void {
  const codeInfo = code === undefined ? undefined : knownCode(code)
  const text = message ?? codeInfo?.message ?? code ?? 'The socket was refused by an injected fault'
  door.refuse(status ?? codeInfo?.status ?? REFUSED, text, {
    [FAULT_HEADER]: label,
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  })
}
