// The line to the channels: takes commands to a channel's own actor and hears what it has for the app, past its parents.
import type { ActorRefFrom } from 'xstate'
import type { ChannelEmitted } from '../../machines/channel-state.ts'
import type { channelMachine } from '../../machines/channel.ts'
import type { ClientCommand } from '../../machines/client-events.ts'
import type { ClientActor } from '../runner.ts'

type ChannelActor = ActorRefFrom<typeof channelMachine>

/** The actor of a topic, while the topic is in use. */
function channelOf(client: ClientActor, topic: string): ChannelActor | undefined {
  const { children } = client.getSnapshot()
  return children.realtime?.getSnapshot().children[`channel.${topic}`] as ChannelActor | undefined
}

/** @param hear is called inside the step of the channel that tells something. */
export function createChannelLine(hear: (told: ChannelEmitted) => void) {
  const heard = new WeakSet<ChannelActor>()
  /** The channel, heard from now on. */
  const heardChannel = (client: ClientActor, topic: string): ChannelActor | undefined => {
    const channel = channelOf(client, topic)
    if (channel && !heard.has(channel)) {
      heard.add(channel)
      channel.on('*', hear)
    }
    return channel
  }
  return (client: ClientActor, command: ClientCommand): void => {
    if (command.type === 'channel.command') heardChannel(client, command.topic)?.send(command.command)
    else client.send(command)
    // Joined in the midst of a step, it comes when that is over.
    if (command.type === 'channel.join' && !heardChannel(client, command.topic))
      queueMicrotask(() => heardChannel(client, command.topic))
  }
}
