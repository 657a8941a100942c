// Reports the signed-in user and the network to the machines of offline data.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import type { WatchClientEvent } from '../../machines/index.ts'
import { type ChartroomClient, identityIn } from '../client/index.ts'

export type WatchedClient = Pick<ChartroomClient, 'status' | 'onStatus'>

/** @param onIdentity called before the machine knows of another identity */
export const createWatchClientPort = (
  client: WatchedClient,
  onIdentity: (identity: string | undefined) => void = () => undefined,
) =>
  fromCallback<EventObject, NonReducibleUnknown, WatchClientEvent>(({ sendBack }) => {
    let lastStatus: string | undefined
    let reported = ''
    const report = () => {
      const status = client.status()
      const identity = identityIn(status)
      const online = status.network === 'online'
      if (identity !== lastStatus) onIdentity(identity)
      lastStatus = identity
      const now = JSON.stringify([identity, online])
      if (now === reported) return
      reported = now
      sendBack({ type: 'client.changed', online, ...(identity !== undefined && { identity }) })
    }
    const stop = client.onStatus(report)
    report()
    return stop
  })
