import type { AnyMachineSnapshot } from 'xstate'
import { briefly, childRests, specify } from '../specify.ts'
import { shared, renew, goodToken, open, connect } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { realtimeMachine } from './realtime.ts'
import { connectionSpec } from './connection.spec.ts'
import { channelSpec } from './channel.spec.ts'

export const realtimeSpec = specify(realtimeMachine, {
  about: 'One connection and one channel per topic in use; routes events between them.',
  children: { connection: { spec: connectionSpec }, channel: { spec: channelSpec } },
  events: {
    ...shared(
      'channel.command',
      'channel.join',
      'channel.leave',
      'connection.lost',
      'connection.opened',
      'environment.changed',
      'environment.woke',
      'gate.changed',
      'key.refused',
      'realtime.connect',
      'realtime.disconnect',
      'token.needed',
      'token.rejected',
    ),
  },
  randomEvents: [
    'channel.join',
    'channel.leave',
    'channel.command',
    'realtime.connect',
    'realtime.disconnect',
    'gate.changed',
    'environment.changed',
    'environment.woke',
  ],
  inputs: [{ timings, seed: 1 }],
  situation: ({ channels, connected }) => [Object.values(channels).map(briefly), connected],
  settling: [goodToken, open, connect],
  renew,
  // A denied channel stays out until a new token arrives, which only some machines can receive.
  rests: ({ children }) =>
    childRests(children['connection'], connectionSpec) &&
    Object.entries(children)
      .filter(([id]) => id.startsWith('channel.'))
      .map(([, channel]) => channel?.getSnapshot() as AnyMachineSnapshot)
      .every(channel => channelSpec.rests(channel) || channel.matches({ membership: 'denied' })),
  goal: () => true,
})
