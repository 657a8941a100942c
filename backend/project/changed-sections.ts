// Which parts of config.toml differ from those that the backend was started with.
import type { ProjectConfig } from './config.ts'

/** The sections as config.toml names them. Buckets and seeds are applied while the backend runs. */
const SECTIONS = {
  auth: 'auth',
  hooks: 'auth.hook',
  signingKeys: 'auth',
  jwtSecret: 'auth',
  api: 'api',
  fileSizeLimit: 'storage',
  functions: 'functions',
} as const satisfies Partial<Record<keyof ProjectConfig, string>>

/** Returns names of sections; none without both configurations. */
export function changedSections(
  before: ProjectConfig | undefined,
  after: ProjectConfig | undefined,
): readonly string[] {
  if (!before || !after || before === after) return []
  const names = new Set(before.functions.list().map(({ name }) => name))
  const valueOf = (config: ProjectConfig, field: keyof typeof SECTIONS): unknown =>
    field === 'functions'
      ? [config.functions.secrets, config.functions.list().filter(({ name }) => names.has(name))]
      : config[field]
  const fields = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]
  const changed = fields.filter(
    field => JSON.stringify(valueOf(before, field)) !== JSON.stringify(valueOf(after, field)),
  )
  return [...new Set(changed.map(field => SECTIONS[field]))]
}
