// The text that a wallet signs to sign in: EIP-4361 for Ethereum, and the same format for Solana.
export interface SignInMessage {
  /** As signed. */
  readonly text: string
  readonly domain: string
  readonly address: string
  readonly statement: string | undefined
  readonly uri: string
  /** The chain's ID or network; empty if the message has none. */
  readonly network: string
  readonly issuedAt: Date
  readonly expiresAt: Date | undefined
  readonly notBefore: Date | undefined
}

export type Chain = 'ethereum' | 'solana'

interface Format {
  /** Starts the errors, as in the official server. */
  readonly name: string
  readonly title: string
  readonly address: RegExp
  readonly addressProblem: string
  readonly isNetwork: (network: string) => boolean
}

const FORMATS: Readonly<Record<Chain, Format>> = {
  ethereum: {
    name: 'siwe',
    title: 'Ethereum',
    address: /^0x[a-f\d]{40}$/i,
    addressProblem: 'wallet address is not a valid Ethereum address',
    isNetwork: network => /^[+]?\d{1,18}$/.test(network) && Number(network) > 0,
  },
  solana: {
    name: 'siws',
    title: 'Solana',
    address: /^[a-z\d]{32,44}$/i,
    addressProblem: 'wallet address is not in base58 format',
    isNetwork: network => network === '' || /^solana:(?:main|dev|test|local)net$/.test(network),
  },
}

/** A message that does not have the format. */
export class MessageError extends Error {
  override name = 'MessageError'
}

const DOMAIN = /^(?:localhost|(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,})(?::\d{1,5})?$/i
const FEWEST_LINES = 6

/** @throws MessageError with what is wrong */
export function parseSignInMessage(chain: Chain, text: string): SignInMessage {
  const format = FORMATS[chain]
  const messageError = (problem: string) => new MessageError(`${format.name}: ${problem}`)
  const lines = text.split('\n')
  if (lines.length < FEWEST_LINES) throw messageError(`message needs at least ${FEWEST_LINES} lines`)
  const [first = '', second = '', third = '', statement = '', fifth = ''] = lines
  const suffix = ` wants you to sign in with your ${format.title} account:`
  if (!first.endsWith(suffix))
    throw messageError(`message first line does not end in ${JSON.stringify(suffix)}`)
  const domain = first.slice(0, -suffix.length).trim()
  if (!DOMAIN.test(domain)) throw messageError('domain in first line of message is not valid')
  const address = second.trim()
  if (!format.address.test(address)) throw messageError(format.addressProblem)
  if (third !== '') throw messageError('third line must be empty')
  const hasStatement = statement !== '' && fifth === ''
  const fields = readFields(lines, hasStatement ? 5 : 3, messageError)
  return {
    text,
    domain,
    address,
    statement: hasStatement ? statement : undefined,
    ...readValues(fields, format, messageError),
  }
}

type ErrorFactory = (problem: string) => MessageError

/** The lines with a name and a value; of a name that occurs twice, the last. */
function readFields(
  lines: readonly string[],
  start: number,
  createError: ErrorFactory,
): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  let resources: number | undefined
  for (const [index, line] of lines.map(text => text.trim()).entries()) {
    if (index < start || line === '') continue
    if (resources !== undefined && line.startsWith('- ')) {
      if (!isUri(line.slice(2).trim())) throw createError(`Resource at position ${resources} has invalid URI`)
      resources += 1
      continue
    }
    resources = line === 'Resources:' ? 0 : undefined
    if (resources === 0) continue
    const colon = line.indexOf(':')
    if (colon < 0) throw createError(`encountered unparsable line at index ${index}`)
    fields.set(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return fields
}

type Values = Pick<SignInMessage, 'uri' | 'network' | 'issuedAt' | 'expiresAt' | 'notBefore'>

function readValues(fields: ReadonlyMap<string, string>, format: Format, createError: ErrorFactory): Values {
  const timeIn = (name: string) => {
    const value = fields.get(name)
    if (value === undefined) return undefined
    const time = RFC_3339.test(value) ? new Date(value) : undefined
    if (!time || Number.isNaN(time.getTime())) throw createError(`${name} is not a valid ISO8601 timestamp`)
    return time
  }
  const uri = fields.get('URI')
  if (uri !== undefined && !isUri(uri)) throw createError('URI is not valid')
  const network = fields.get('Chain ID')
  if (network !== undefined && !format.isNetwork(network)) throw createError('Chain ID is not valid')
  const [issuedAt, expiresAt, notBefore] = [
    timeIn('Issued At'),
    timeIn('Expiration Time'),
    timeIn('Not Before'),
  ]
  const version = fields.get('Version') ?? ''
  if (version !== '1')
    throw createError(`Version value is not supported, expected 1 got ${JSON.stringify(version)}`)
  if (!issuedAt) throw createError('Issued At is not specified')
  if (uri === undefined) throw createError('URI is not specified')
  if (expiresAt && issuedAt > expiresAt) throw createError('Issued At is after Expiration Time')
  if (notBefore && expiresAt && notBefore > expiresAt)
    throw createError('Not Before is after Expiration Time')
  return { uri, network: network ?? '', issuedAt, expiresAt, notBefore }
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text)
}
