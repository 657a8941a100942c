// Settings of a deployment in `chartroom.json`: preset backends, and whether users may add others.
import {
  array,
  boolean,
  check,
  optional,
  pipe,
  safeParse,
  strictObject,
  string,
  type BaseIssue,
} from 'valibot'
import { isPublicKey, readKey } from './api-key.ts'
import { readAddress } from './address.ts'
import type { Connection } from './connections.ts'

/** Path of the file, relative to the app's base URL. */
export const DEPLOYMENT_FILE = 'chartroom.json'

const isBaseUrl = (text: string) => readAddress(text)?.form === 'url'

const deployment = strictObject({
  /** For editors; ignored here. */
  $schema: optional(string()),
  /** Preset backends. */
  hosts: optional(
    array(
      strictObject({
        name: optional(string()),
        url: pipe(string(), check(isBaseUrl, 'is not a base URL such as https://your-project.supabase.co')),
        key: pipe(
          string(),
          check(text => text.trim() !== '', 'is empty: enter the publishable key'),
          check(
            isPublicKey,
            'is a secret key, which everyone who opens the page could read. Use the publishable key',
          ),
        ),
      }),
    ),
    [],
  ),
  /** False: only the preset backends are available. */
  otherHosts: optional(boolean(), true),
})

export interface Deployment {
  readonly hosts: readonly Connection[]
  readonly otherHosts: boolean
}

export type ReadDeployment =
  | { readonly ok: true; readonly deployment: Deployment }
  /** Each problem names its location and cause. */
  | { readonly ok: false; readonly problems: readonly string[] }

export const NO_DEPLOYMENT: Deployment = { hosts: [], otherHosts: true }

/** Validates the content of the file. */
export function readDeployment(file: unknown): ReadDeployment {
  const parsed = safeParse(deployment, Array.isArray(file) ? 'a list' : file)
  if (!parsed.success) return { ok: false, problems: parsed.issues.map(problemOf) }
  const { hosts, otherHosts } = parsed.output
  if (!otherHosts && hosts.length === 0)
    return {
      ok: false,
      problems: ['hosts: is empty, and otherHosts is false: there is nothing to connect to'],
    }
  return {
    ok: true,
    deployment: {
      otherHosts,
      hosts: hosts.map(({ name, url, key }) => ({
        id: readAddress(url)?.url ?? url,
        name: name ?? new URL(url).host,
        url: readAddress(url)?.url ?? url,
        key: readKey(key).key,
        embedded: false,
        given: true,
      })),
    },
  }
}

/** Formats an issue as `hosts[0].key: is …`; never includes the value, which may be a secret. */
function problemOf(issue: BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  const where = path.join('').replace(/^\./, '') || 'the file'
  return `${where}: ${wordsOf(issue)}`
}

function wordsOf({ kind, type, expected, received, message }: BaseIssue<unknown>): string {
  if (type === 'check') return message
  if (type === 'strict_object' && expected === 'never') return 'is not a known setting'
  if (kind === 'schema' && received === 'undefined') return 'is missing'
  return `must be ${NAMES[expected ?? ''] ?? expected ?? 'something else'}`
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
}
