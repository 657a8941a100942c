// The options of a topic: what all of its uses ask for together.
import type { ChannelOptions, PostgresChange } from './channel-events.ts'

/** One use of a topic. */
export interface TopicUse {
  /** Tells the uses of one topic apart. */
  readonly use?: string
  readonly options: ChannelOptions
}

/**
 * One join for all uses: whoever asks for more gets it, and the first who names a key or a replay decides.
 * A topic that anybody wants private is joined as private, for the other would let in more than was meant.
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

/** Equal for changes that mean the same. */
export const changeKey = ({ event, schema, table, filter, select }: PostgresChange): string =>
  JSON.stringify([event, schema, table, filter, select])

const distinct = (changes: readonly PostgresChange[]): readonly PostgresChange[] => [
  ...new Map(changes.map(change => [changeKey(change), change])).values(),
]
