// What a client asks for when it joins a channel, checked.
import * as v from 'valibot'

/** Each is tried on the database, which meanwhile serves nobody else. */
const MOST_CHANGES = 100

const changeSchema = v.looseObject({
  event: v.picklist(['*', 'INSERT', 'UPDATE', 'DELETE']),
  schema: v.string(),
  table: v.optional(v.nullable(v.string())),
  filter: v.optional(v.nullable(v.string())),
  select: v.optional(v.nullable(v.array(v.string()))),
})

const joinSchema = v.object({
  config: v.optional(
    v.object({
      broadcast: v.optional(
        v.nullable(v.object({ ack: v.optional(v.boolean(), false), self: v.optional(v.boolean(), false) })),
      ),
      presence: v.optional(
        v.nullable(
          v.object({ key: v.optional(v.nullable(v.string())), enabled: v.optional(v.boolean(), true) }),
        ),
      ),
      postgres_changes: v.optional(v.nullable(v.pipe(v.array(changeSchema), v.maxLength(MOST_CHANGES)))),
      private: v.optional(v.boolean(), false),
    }),
  ),
  access_token: v.optional(v.nullable(v.string())),
})

export type ChangeRequest = v.InferOutput<typeof changeSchema>

export interface JoinConfig {
  readonly ack: boolean
  readonly self: boolean
  readonly presenceKey: string | undefined
  readonly presenceEnabled: boolean
  readonly changes: readonly ChangeRequest[]
  readonly isPrivate: boolean
  readonly accessToken: string | undefined
}

/** Reads a `phx_join` payload; `undefined` when it is malformed. */
export function readJoin(payload: unknown): JoinConfig | undefined {
  const parsed = v.safeParse(joinSchema, payload)
  if (!parsed.success) return undefined
  const { config, access_token: accessToken } = parsed.output
  return {
    ack: config?.broadcast?.ack ?? false,
    self: config?.broadcast?.self ?? false,
    presenceKey: config?.presence?.key || undefined,
    presenceEnabled: config?.presence?.enabled ?? true,
    changes: config?.postgres_changes ?? [],
    isPrivate: config?.private ?? false,
    accessToken: accessToken ?? undefined,
  }
}
