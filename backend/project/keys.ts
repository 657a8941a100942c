// The keys that a project's config.toml names: what signs its tokens and what checks them.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { JWK } from 'jose'
import { ProjectError } from './errors.ts'
import type { Settings } from './toml.ts'

/** Shorter ones are soon tried through; the CLI draws the line here too. */
const SHORTEST_SECRET = 16

export function readJwtSecret(settings: Settings): string | undefined {
  const path = 'auth.jwt_secret'
  const secret = settings.text(path) || undefined
  if (secret === undefined || secret.length >= SHORTEST_SECRET) return secret
  throw settings.wrong(path, `must have ${SHORTEST_SECRET} characters at least`)
}

/** @throws ProjectError for a file that is not there or holds no keys */
export function readSigningKeys(file: string, settings: Settings): readonly JWK[] | undefined {
  const path = settings.text('auth.signing_keys_path')
  if (path === undefined) return undefined
  const keys = resolve(dirname(file), path)
  if (!existsSync(keys)) {
    throw settings.wrong('auth.signing_keys_path', `names ${keys}, which does not exist. ${MAKE_KEYS}`)
  }
  const parsed = parseJson(readFileSync(keys, 'utf8'))
  if (Array.isArray(parsed) && parsed.length > 0) return parsed as JWK[]
  throw new ProjectError(keys, undefined, `is no list of JSON Web Keys. ${MAKE_KEYS}`)
}

const MAKE_KEYS = 'Make it with `supabase gen signing-key`, or remove the setting.'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
