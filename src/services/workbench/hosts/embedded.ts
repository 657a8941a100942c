// Self-description of the embedded backend, served on the page's origin if there is one.
import { array, check, object, optional, pipe, safeParse, string, type InferOutput } from 'valibot'
import { isPublicKey } from './api-key.ts'

/** Path of the description; a 404 means that no backend is embedded. */
export const EMBEDDED_CONFIG_PATH = '/_chartroom/config'

const embeddedConfig = object({
  name: string(),
  url: string(),
  /** Publishable key. */
  key: pipe(string(), check(isPublicKey)),
  /** Public demo accounts, offered as one-click sign-ins. */
  accounts: optional(array(object({ email: string(), password: string() })), []),
})

export type EmbeddedConfig = InferOutput<typeof embeddedConfig>

/** Parses the description in a response; undefined if it is something else. */
export const parseEmbedded = (answer: unknown): EmbeddedConfig | undefined => {
  const parsed = safeParse(embeddedConfig, answer)
  return parsed.success ? parsed.output : undefined
}
