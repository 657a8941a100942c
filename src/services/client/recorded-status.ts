// The public status of a client at a moment of its recording.
import { clientStatus, type ClientStatus, realtimeStatus } from '../../machines/index.ts'
import type { StepRecord } from '../../trace/index.ts'

/** Returns the latest step of the actor at this path until the moment. */
type LatestStep = (path: string) => StepRecord | undefined

/** The status reads value, context and status of snapshots, which recorded steps have as well. */
type Snapshots = Parameters<typeof clientStatus>[0]

const child = (step: StepRecord | undefined, children: object = {}) =>
  step && { getSnapshot: () => ({ ...step, children }) }

/** The channels at the moment, by the ids of their actors. */
function channelsOf(latest: LatestStep, realtime: StepRecord | undefined): object {
  const { channels = {} } = (realtime?.context ?? {}) as { readonly channels?: object }
  return Object.fromEntries(
    Object.keys(channels).map(topic => {
      const id = `channel.${topic}`
      return [id, child(latest(`client/realtime/${id}`))]
    }),
  )
}

/** Undefined if the recording has no step of the client until then. */
export function recordedStatus(latest: LatestStep): ClientStatus | undefined {
  const client = latest('client')
  if (!client) return undefined
  const realtime = latest('client/realtime')
  const children = {
    session: child(latest('client/session')),
    refresh: child(latest('client/refresh')),
    requests: child(latest('client/requests')),
    realtime: child(realtime, {
      connection: child(latest('client/realtime/connection')),
      ...channelsOf(latest, realtime),
    }),
  }
  // The recording is of this version's machines, so the steps have the types of their snapshots.
  return clientStatus({ ...client, children } as unknown as Snapshots, realtimeStatus)
}
