// The command router of channels: sends commands to a channel's actor and receives its events directly,
// bypassing its parents.
import type { ActorRefFrom } from 'xstate'
import type { ChannelEmitted, channelMachine, ClientCommand } from '../../machines/index.ts'
import type { ClientActor } from './runner.ts'

type ChannelActor = ActorRefFrom<typeof channelMachine>

/** Returns the actor of a topic while the topic is in use. */
function channelOf(client: ClientActor, topic: string): ChannelActor | undefined {
  const { children } = client.getSnapshot()
  return children.realtime?.getSnapshot().children[`channel.${topic}`] as ChannelActor | undefined
}

/** @param onEmitted called inside the step of the channel that emits an event */
export function createCommandRouter(onEmitted: (emitted: ChannelEmitted) => void) {
  const watched = new WeakSet<ChannelActor>()
  /** Returns the channel and subscribes to it. */
  const watchedChannel = (client: ClientActor, topic: string): ChannelActor | undefined => {
    const channel = channelOf(client, topic)
    if (channel && !watched.has(channel)) {
      watched.add(channel)
      channel.on('*', onEmitted)
    }
    return channel
  }
  return (client: ClientActor, command: ClientCommand): void => {
    if (command.type === 'channel.command') watchedChannel(client, command.topic)?.send(command.command)
    else client.send(command)
    // A channel that is joined within a step exists when that step ends.
    if (command.type === 'channel.join' && !watchedChannel(client, command.topic))
      queueMicrotask(() => watchedChannel(client, command.topic))
  }
}
