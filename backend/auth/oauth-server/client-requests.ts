// The bodies that register or change an app of the OAuth server, with the rules of the official server.
import { fieldOf } from '../../shared/fields.ts'
import { AuthError } from '../errors.ts'
import { optionalText, type Body } from '../requests.ts'

export type ClientType = 'public' | 'confidential'

export interface NewClient {
  readonly clientType: ClientType
  readonly authMethod: string
  readonly redirectUris: readonly string[]
  readonly grantTypes: readonly string[]
  readonly clientName: string
  readonly clientUri: string
  readonly logoUri: string
}

/** Fields that are absent stay as they are. */
export interface ClientChange {
  readonly authMethod?: string | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly grantTypes?: readonly string[] | undefined
  readonly clientName?: string | undefined
  readonly clientUri?: string | undefined
  readonly logoUri?: string | undefined
}

const METHODS_OF: Readonly<Record<ClientType, readonly string[]>> = {
  public: ['none'],
  confidential: ['client_secret_basic', 'client_secret_post'],
}
const METHODS = [...METHODS_OF.public, ...METHODS_OF.confidential]
const GRANT_TYPES = ['authorization_code', 'refresh_token']

/** @throws 400 `validation_failed` with the first wrong field */
export function readNewClient(body: Body): NewClient {
  const redirectUris = textsIn(body, 'redirect_uris') ?? []
  if (redirectUris.length === 0) throw invalid('redirect_uris is required')
  checkRedirectUris(redirectUris)
  const grantTypes = textsIn(body, 'grant_types') ?? []
  if (grantTypes.length > 0) checkGrantTypes(grantTypes)
  const texts = readTexts(body)
  const authMethod = optionalText(body, 'token_endpoint_auth_method') ?? ''
  const clientType = chooseType(optionalText(body, 'client_type') ?? '', authMethod)
  return {
    clientType,
    authMethod: authMethod || (METHODS_OF[clientType][0] ?? ''),
    redirectUris,
    grantTypes: grantTypes.length > 0 ? grantTypes : GRANT_TYPES,
    clientName: texts.clientName ?? '',
    clientUri: texts.clientUri ?? '',
    logoUri: texts.logoUri ?? '',
  }
}

/** @throws 400 `validation_failed` with the first wrong field, or if there is none to change */
export function readClientChange(body: Body, clientType: ClientType): ClientChange {
  const change = {
    redirectUris: textsIn(body, 'redirect_uris'),
    grantTypes: textsIn(body, 'grant_types'),
    ...readTexts(body),
    authMethod: optionalText(body, 'token_endpoint_auth_method'),
  }
  if (Object.values(change).every(value => value === undefined))
    throw invalid('No fields provided for update')
  if (change.redirectUris) checkRedirectUris(change.redirectUris)
  if (change.grantTypes) checkGrantTypes(change.grantTypes)
  const { authMethod } = change
  if (authMethod === undefined) return change
  if (!METHODS.includes(authMethod))
    throw invalid(`invalid token_endpoint_auth_method: must be one of ${goList(METHODS)}`)
  const methods = METHODS_OF[clientType]
  if (!methods.includes(authMethod))
    throw invalid(
      `token_endpoint_auth_method '${authMethod}' is not valid for client_type '${clientType}'; valid methods: ${goList(methods)}`,
    )
  return change
}

/** The messages of the official server write lists like Go. */
const goList = (items: readonly string[]) => `[${items.join(' ')}]`

function chooseType(clientType: string, authMethod: string): ClientType {
  if (clientType !== '' && clientType !== 'public' && clientType !== 'confidential')
    throw invalid("client_type must be 'public' or 'confidential'")
  if (authMethod === '') return clientType || 'confidential'
  if (!METHODS.includes(authMethod))
    throw invalid(`token_endpoint_auth_method must be one of: ${goList(METHODS)}`)
  const inferred: ClientType = authMethod === 'none' ? 'public' : 'confidential'
  if (clientType !== '' && clientType !== inferred)
    throw invalid(
      `client_type '${clientType}' is inconsistent with token_endpoint_auth_method '${authMethod}' (expected client_type '${inferred}')`,
    )
  return inferred
}

function checkGrantTypes(types: readonly string[]): void {
  if (types.length === 0) throw invalid('grant_types cannot be empty')
  if (types.some(type => !GRANT_TYPES.includes(type)))
    throw invalid("grant_types must only contain 'authorization_code' and/or 'refresh_token'")
}

const MOST_REDIRECTS = 10

function checkRedirectUris(uris: readonly string[]): void {
  if (uris.length === 0) throw invalid('redirect_uris cannot be empty')
  if (uris.length > MOST_REDIRECTS) throw invalid(`redirect_uris cannot exceed ${MOST_REDIRECTS} items`)
  for (const uri of uris) {
    const problem = redirectProblem(uri)
    if (problem !== undefined) throw invalid(`invalid redirect_uri '${uri}': ${problem}`)
  }
}

const DANGEROUS = ['javascript', 'data', 'file', 'vbscript', 'about', 'blob']
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

function redirectProblem(uri: string): string | undefined {
  if (uri === '') return 'redirect URI cannot be empty'
  const [, scheme = '', host = ''] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(uri) ?? []
  if (scheme === '' || host === '') return 'must have scheme and host'
  // The list is stored with commas between.
  if (/[\s,\\\p{Cc}]/u.test(uri)) return 'invalid URL format'
  const url = URL.parse(uri)
  if (!url) return 'invalid URL format'
  if (DANGEROUS.includes(scheme.toLowerCase()))
    return `scheme '${scheme}' is not allowed for security reasons`
  if (url.protocol === 'http:' && !LOOPBACK_HOSTS.includes(url.hostname))
    return 'HTTP scheme only allowed for localhost'
  if (url.hash !== '') return 'fragment not allowed in redirect URI'
  return undefined
}

const LONGEST_NAME = 1_024
const LONGEST_URI = 2_048

function readTexts(body: Body): Pick<ClientChange, 'clientName' | 'clientUri' | 'logoUri'> {
  const clientName = optionalText(body, 'client_name')
  if (Buffer.byteLength(clientName ?? '') > LONGEST_NAME)
    throw invalid(`client_name cannot exceed ${LONGEST_NAME} characters`)
  return { clientName, clientUri: uriIn(body, 'client_uri'), logoUri: uriIn(body, 'logo_uri') }
}

function uriIn(body: Body, name: string): string | undefined {
  const uri = optionalText(body, name)
  if (uri === undefined || uri === '') return uri
  if (Buffer.byteLength(uri) > LONGEST_URI) throw invalid(`${name} cannot exceed ${LONGEST_URI} characters`)
  // An absolute URL or path.
  if (!URL.canParse(uri, 'http://localhost') || !/^(?:\/|[a-z][a-z\d+.-]*:)/i.test(uri))
    throw invalid(`${name} must be a valid URL`)
  return uri
}

/** A list of texts, `undefined` if absent or null. */
function textsIn(body: Body, name: string): readonly string[] | undefined {
  const value = fieldOf(body, name) ?? undefined
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value
  throw new AuthError(400, 'bad_json', 'Invalid JSON body')
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}
