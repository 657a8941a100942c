// The accounts of a review: read from flags or a file, with passwords and tokens from the environment.
import { readFile } from 'node:fs/promises'
import {
  type InferOutput,
  optional,
  pipe,
  record,
  regex,
  safeParse,
  strictObject,
  string,
  array,
} from 'valibot'
import type { AccessAccount, Send } from '../../services/access/index.ts'
import { reasonOf, UsageError } from '../command.ts'
import { fileReason } from '../write-file.ts'
import type { Backend } from './backend.ts'
import { ask, bearer, keyHeaders } from './request.ts'

const NAME = /^[A-Za-z][\w.-]*$/

const account = strictObject({
  name: pipe(string(), regex(NAME, 'must begin with a letter, and have letters, digits, ., _ and - only')),
  email: optional(string()),
  /** Name of the environment variable with the password. */
  passwordFrom: optional(string()),
  /** Name of the environment variable with an access token, instead of email and password. */
  tokenFrom: optional(string()),
})

const settings = strictObject({
  $schema: optional(string()),
  accounts: array(account),
  functions: optional(array(string()), []),
  owners: optional(record(string(), string()), {}),
  skip: optional(array(string()), []),
})

type Account = InferOutput<typeof account>
export type AccountSettings = InferOutput<typeof settings>

interface AccountFlags {
  readonly account: readonly string[]
  readonly accounts: string | undefined
}

const ANONYMOUS = 'anonymous'

/** @throws UsageError with the account and the fix */
export async function readAccounts({
  account: credentials,
  accounts: file,
}: AccountFlags): Promise<AccountSettings> {
  const read = file === undefined ? undefined : await settingsIn(file)
  const accounts = [...(read?.accounts ?? []), ...credentials.map(accountOf)]
  if (accounts.length === 0)
    throw new UsageError('No account was given. Add --account NAME=EMAIL, or --accounts FILE.')
  for (const { name } of accounts) {
    if (name === ANONYMOUS)
      throw new UsageError(`The name "${ANONYMOUS}" is that of the anonymous role. Choose another.`)
    if (accounts.filter(each => each.name === name).length > 1)
      throw new UsageError(`Two accounts have the name "${name}".`)
  }
  return { functions: [], owners: {}, skip: [], ...read, accounts }
}

async function settingsIn(file: string): Promise<AccountSettings> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--accounts ${file} can't be read: ${fileReason(error)}.`)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--accounts ${file} is not valid JSON: ${reasonOf(error)}.`)
  }
  const parsed = safeParse(settings, value)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const path = (issue.path ?? []).map(({ key }) => String(key)).join('.')
  if (/(?:^|\.)(?:password|token)$/.test(path))
    throw new UsageError(
      `--accounts ${file} must not contain a password or a token: the file is for version control. Name the environment variable in passwordFrom or tokenFrom.`,
    )
  const problem =
    issue.kind === 'schema' && issue.expected === 'never' ? 'is not a known setting' : issue.message
  throw new UsageError(`--accounts ${file}: ${path === '' ? 'the file' : path} ${problem}.`)
}

function accountOf(text: string): Account {
  const [, name = '', email = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (!NAME.test(name) || !email.includes('@'))
    throw new UsageError(`--account must be NAME=EMAIL, such as alice=alice@example.test, not "${text}".`)
  return { name, email }
}

/** `CHARTROOM_PASSWORD_ALICE` for the account `alice`. */
const passwordVariable = (name: string) =>
  `CHARTROOM_PASSWORD_${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`

/** @throws UsageError with the name of the variable */
function secretOf({ name, email, passwordFrom, tokenFrom }: Account) {
  if (tokenFrom !== undefined) {
    if (email !== undefined || passwordFrom !== undefined)
      throw new UsageError(`The account ${name} has tokenFrom: remove email and passwordFrom.`)
    return { token: fromEnvironment(tokenFrom, `the access token of ${name}`) }
  }
  if (email === undefined) throw new UsageError(`The account ${name} has neither email nor tokenFrom.`)
  const variable = passwordFrom ?? passwordVariable(name)
  return { email, password: fromEnvironment(variable, `the password of ${name}`) }
}

function fromEnvironment(variable: string, what: string): string {
  const value = process.env[variable]
  if (value === undefined || value === '') throw new UsageError(`Set ${variable} to ${what}.`)
  return value
}

export interface Session {
  readonly accounts: readonly AccessAccount[]
  readonly send: Send
  /** Ends the sessions that were started. */
  readonly end: () => Promise<void>
}

interface SignedIn {
  readonly name: string
  readonly userId: string
  readonly token: string
  readonly isOurs: boolean
}

/** Signs in as each account. @throws Error that names the account */
export async function signInAll(backend: Backend, { accounts }: AccountSettings): Promise<Session> {
  const secrets = accounts.map(each => ({ name: each.name, ...secretOf(each) }))
  const signedIn: SignedIn[] = []
  const end = async () => {
    const ours = signedIn.filter(({ isOurs }) => isOurs)
    await Promise.allSettled(ours.map(async ({ token }) => signOut(backend, token)))
  }
  try {
    for (const each of secrets)
      signedIn.push(
        'token' in each && each.token !== undefined
          ? { name: each.name, userId: userIn(each.token, each.name), token: each.token, isOurs: false }
          : await signIn(backend, {
              name: each.name,
              email: each.email ?? '',
              password: each.password ?? '',
            }),
      )
  } catch (error) {
    await end()
    throw error
  }
  const tokens = new Map(signedIn.map(({ name, token }) => [name, token]))
  const { secretKey } = backend
  return {
    accounts: [
      { name: ANONYMOUS, userId: undefined },
      ...signedIn.map(({ name, userId }) => ({ name, userId })),
      ...(secretKey === undefined
        ? []
        : [{ name: 'secret key', userId: undefined, isReference: true as const }]),
    ],
    send: async (who, request, signal) => {
      const headers = who.isReference
        ? keyHeaders(secretKey ?? '')
        : { ...keyHeaders(backend.key), ...bearer(tokens.get(who.name)) }
      return ask(backend, request.path, {
        method: request.method,
        headers: { ...request.headers, ...headers },
        ...(request.body === undefined ? {} : { body: request.body }),
        signal,
      })
    },
    end,
  }
}

async function signIn(
  backend: Backend,
  { name, email, password }: { readonly name: string; readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const { status, text } = await ask(backend, '/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { ...keyHeaders(backend.key), 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const answer = objectIn(text)
  const token = answer['access_token']
  const id = objectOf(answer['user'])['id']
  if (status === 200 && typeof token === 'string' && typeof id === 'string')
    return { name, userId: id, token, isOurs: true }
  const words = [answer['msg'], answer['message'], answer['error_description']].find(
    one => typeof one === 'string',
  )
  throw new Error(
    `Sign-in as ${name} (${email}) was refused with status ${status}: ${words ?? 'no reason given'}.`,
  )
}

/** The user id in an access token. */
function userIn(token: string, name: string): string {
  try {
    const claims = objectOf(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
    if (typeof claims['sub'] === 'string') return claims['sub']
  } catch {
    // Reported below.
  }
  throw new Error(`The token of ${name} is not an access token with a user id.`)
}

async function signOut(backend: Backend, token: string): Promise<void> {
  await ask(backend, '/auth/v1/logout?scope=local', {
    method: 'POST',
    headers: { ...keyHeaders(backend.key), ...bearer(token) },
  })
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

function objectIn(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return {}
  }
}
