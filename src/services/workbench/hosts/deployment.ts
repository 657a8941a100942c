// What the page's own origin provides: the embedded backend, and the settings of a deployment in `chartroom.json`.
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
  object,
  type InferOutput,
} from 'valibot'
import { isPublicKey, readKey } from './api-key.ts'
import { readAddress } from '../../runtime/index.ts'
import type { Connection } from './connections.ts'

/** Path of the file, relative to the app's base URL. */
export const DEPLOYMENT_FILE = 'chartroom.json'

const isBaseUrl = (text: string) => readAddress(text)?.form === 'url'

/** Relative to the app: a schema of another origin would not be loaded. */
const isOwnPath = (text: string) => /^(?!.*\.\.)[\w.-][\w./-]*$/.test(text)

const deployment = strictObject({
  /** For editors; ignored here. */
  $schema: optional(string()),
  /** Preset backends. */
  hosts: optional(
    array(
      strictObject({
        name: optional(string()),
        /** Path of a schema file on the server of the app. */
        schema: optional(pipe(string(), check(isOwnPath, 'is not a path on the server of the app'))),
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

/**
 * Validates the content of the file.
 * @param base base URL of the app, with a slash at its end
 */
export function readDeployment(file: unknown, base = '/'): ReadDeployment {
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
      hosts: hosts.map(({ name, url, key, schema }) => ({
        id: readAddress(url)?.url ?? url,
        name: name ?? new URL(url).host,
        url: readAddress(url)?.url ?? url,
        key: readKey(key).key,
        embedded: false,
        given: true,
        schema: schema && base + schema,
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

/** Path of the description; a 404 means that no backend is embedded. */
const EMBEDDED_CONFIG_PATH = '/_chartroom/config'

const embeddedConfig = object({
  name: string(),
  url: string(),
  /** Publishable key. */
  key: pipe(string(), check(isPublicKey)),
  /** Public demo accounts, offered as one-click sign-ins. */
  accounts: optional(array(object({ email: string(), password: string() })), []),
  /** Path of a description of its tables. */
  schema: optional(string()),
  /** Path of the state of the project that it follows. */
  project: optional(string()),
})

export type EmbeddedConfig = InferOutput<typeof embeddedConfig>

/** Parses the description in a response; undefined if it is something else. */
export const parseEmbedded = (answer: unknown): EmbeddedConfig | undefined => {
  const parsed = safeParse(embeddedConfig, answer)
  return parsed.success ? parsed.output : undefined
}

/** In ms; the page shows nothing else until its origin has responded. */
const DEADLINE_MS = 8_000

/** Content of a JSON file on the page's own origin; undefined if it is missing. */
export async function readOwnFile(
  path: string,
): Promise<{ readonly value: unknown } | { readonly problem: string } | undefined> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const response = await fetch(path, { signal, cache: 'no-cache' }).catch(() => undefined)
  // Servers with an SPA fallback respond with the page for a missing file.
  if (!response?.ok || /html/.test(response.headers.get('content-type') ?? '')) return undefined
  const text = await response.text().catch(() => '')
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `is not valid JSON (${error instanceof Error ? error.message : String(error)})` }
  }
}

export interface OwnOrigin {
  /** Undefined if no backend is embedded. */
  readonly embedded: EmbeddedConfig | undefined
  readonly deployment: ReadDeployment
}

/**
 * Requests the embedded backend's description and the deployment settings from the page's origin.
 * @param base base URL of the app, with a slash at its end
 */
export async function readOwnOrigin(base: string): Promise<OwnOrigin> {
  const [config, file] = await Promise.all([
    readOwnFile(EMBEDDED_CONFIG_PATH),
    readOwnFile(base + DEPLOYMENT_FILE),
  ])
  return {
    embedded: config && 'value' in config ? parseEmbedded(config.value) : undefined,
    deployment: deploymentOf(file, base),
  }
}

function deploymentOf(file: Awaited<ReturnType<typeof readOwnFile>>, base: string): ReadDeployment {
  if (file === undefined) return { ok: true, deployment: { hosts: [], otherHosts: true } }
  return 'problem' in file
    ? { ok: false, problems: [`the file: ${file.problem}`] }
    : readDeployment(file.value, base)
}
