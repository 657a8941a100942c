// The keys named in a project's config.toml, which sign and verify its tokens.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { JWK } from 'jose'
import { ProjectError } from './errors.ts'
import type { Settings } from './toml.ts'

/** Shorter secrets are quickly brute-forced; the CLI has the same limit. */
const SHORTEST_SECRET = 16

export function readJwtSecret(settings: Settings): string | undefined {
  const path = 'auth.jwt_secret'
  const secret = settings.text(path) || undefined
  if (secret === undefined || secret.length >= SHORTEST_SECRET) return secret
  throw settings.error(path, `must have at least ${SHORTEST_SECRET} characters`)
}

/** @throws ProjectError if the file does not exist or contains no keys */
export function readSigningKeys(file: string, settings: Settings): readonly JWK[] | undefined {
  const path = settings.text('auth.signing_keys_path')
  if (path === undefined) return undefined
  const keys = resolve(dirname(file), path)
  if (!existsSync(keys)) {
    throw settings.error('auth.signing_keys_path', `names ${keys}, which does not exist. ${MAKE_KEYS}`)
  }
  const parsed = parseJson(readFileSync(keys, 'utf8'))
  if (Array.isArray(parsed) && parsed.length > 0) return parsed as JWK[]
  throw new ProjectError(keys, undefined, `is not a list of JSON Web Keys. ${MAKE_KEYS}`)
}

const MAKE_KEYS = 'Create it with `supabase gen signing-key`, or remove the setting.'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
