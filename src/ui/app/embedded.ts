// The embedded backend's own description of itself, served on the page's origin when there is one.
import { array, check, object, optional, pipe, safeParse, string, type InferOutput } from 'valibot'
import { isPublicKey } from '../../probe.ts'

/** Where the page asks for it; a 404 means that no backend is embedded. */
export const EMBEDDED_CONFIG_PATH = '/_chartroom/config'

const embeddedConfig = object({
  name: string(),
  url: string(),
  /** Publishable key. */
  key: pipe(string(), check(isPublicKey)),
  /** Demo accounts: public demo data, offered as one-click fills. */
  accounts: optional(array(object({ email: string(), password: string() })), []),
})

export type EmbeddedConfig = InferOutput<typeof embeddedConfig>

/** The description in an answer, or undefined when it is something else. */
export const parseEmbedded = (answer: unknown): EmbeddedConfig | undefined => {
  const parsed = safeParse(embeddedConfig, answer)
  return parsed.success ? parsed.output : undefined
}
