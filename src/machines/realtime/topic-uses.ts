// The uses of one topic, merged into the options of its join. Loads with the first channel.
import { changeKey, type ChannelOptions, type PostgresChange } from './channel-events.ts'

/** One use of a topic. */
export interface TopicUse {
  /** Distinguishes the uses of one topic. */
  readonly use?: string
  readonly options: ChannelOptions
}

/**
 * Merges all uses into one join: each option is on if any use asks for it; the first use that sets a key or a
 * replay decides it. If any use is private, the join is private, because a public one would expose more than
 * intended.
 */
export function mergeOptions(uses: readonly TopicUse[]): ChannelOptions {
  const all = uses.map(({ options }) => options)
  const key = all.map(({ presence }) => presence?.key).find(name => name !== undefined)
  const replay = all.map(({ broadcast }) => broadcast?.replay).find(since => since !== undefined)
  return {
    private: all.some(one => one.private === true),
    broadcast: {
      self: all.some(({ broadcast }) => broadcast?.self === true),
      ack: all.some(({ broadcast }) => broadcast?.ack !== false),
      ...(replay && { replay }),
      ...(all.some(({ broadcast }) => broadcast?.replicationReady === true) && { replicationReady: true }),
    },
    presence: {
      enabled: all.some(({ presence }) => presence?.enabled !== false),
      ...(key !== undefined && { key }),
    },
    postgresChanges: distinct(all.flatMap(({ postgresChanges = [] }) => postgresChanges)),
  }
}

export const wantsChanges = ({ postgresChanges = [] }: ChannelOptions): boolean => postgresChanges.length > 0

const distinct = (changes: readonly PostgresChange[]): readonly PostgresChange[] => [
  ...new Map(changes.map(change => [changeKey(change), change])).values(),
]
