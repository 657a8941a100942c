// What whoever deployed this app says of it in `chartroom.json`: hosts to begin with, and whether others may be added.
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
import { isPublicKey, readAddress, readKey } from '../../probe.ts'
import type { Connection } from './connections.ts'

/** Where the page asks for it, below the address that the app was built for. */
export const DEPLOYMENT_FILE = 'chartroom.json'

const isBaseUrl = (text: string) => readAddress(text)?.form === 'url'

const deployment = strictObject({
  /** For editors; not read. */
  $schema: optional(string()),
  /** Hosts that are there from the beginning. */
  hosts: optional(
    array(
      strictObject({
        name: optional(string()),
        url: pipe(string(), check(isBaseUrl, 'is no base URL, as https://your-project.supabase.co')),
        key: pipe(
          string(),
          check(text => text.trim() !== '', 'is empty: the publishable key belongs here'),
          check(
            isPublicKey,
            'is a secret: everybody who opens the page would have it. Use the publishable key',
          ),
        ),
      }),
    ),
    [],
  ),
  /** False: this app is for the hosts above alone. */
  otherHosts: optional(boolean(), true),
})

export interface Deployment {
  readonly hosts: readonly Connection[]
  readonly otherHosts: boolean
}

export type ReadDeployment =
  | { readonly ok: true; readonly deployment: Deployment }
  /** Each says where and what. */
  | { readonly ok: false; readonly problems: readonly string[] }

export const NO_DEPLOYMENT: Deployment = { hosts: [], otherHosts: true }

/** Checks what the file holds. */
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

/** As `hosts[0].key: is …`; never the value, which may be a secret. */
function problemOf(issue: BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  const where = path.join('').replace(/^\./, '') || 'the file'
  return `${where}: ${wordsOf(issue)}`
}

function wordsOf({ kind, type, expected, received, message }: BaseIssue<unknown>): string {
  if (type === 'check') return message
  if (type === 'strict_object' && expected === 'never') return 'is not known'
  if (kind === 'schema' && received === 'undefined') return 'is missing'
  return `must be ${NAMES[expected ?? ''] ?? expected ?? 'something else'}`
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
}
