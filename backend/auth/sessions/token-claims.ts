// The claims of a user's token as the official server decodes them: their types, the times, and its words for
// what is wrong.
import { WrittenNumber, parseWritten } from '../../shared/exact-json.ts'

/** @throws InvalidClaims */
export function readClaims(json: string, now: number): Readonly<Record<string, unknown>> {
  const written = parseWritten(json) ?? {}
  if (typeof written !== 'object' || written instanceof WrittenNumber || Array.isArray(written))
    throw undecodable(
      `json: cannot unmarshal ${kindOf(written)} into Go value of type tokens.AccessTokenClaims`,
    )
  const problems = Object.entries(written).map(([name, value]) => DECODERS.get(name)?.(name, value))
  const problem = problems.find(each => each?.isFinal) ?? problems.find(each => each !== undefined)
  if (problem) throw undecodable(problem.message)
  checkTimes(new Map(Object.entries(written)), now)
  return (JSON.parse(json) ?? {}) as Record<string, unknown>
}

/** Why a signed token is not accepted. */
export class InvalidClaims extends Error {
  override name = 'InvalidClaims'
}

const undecodable = (reason: string) =>
  new InvalidClaims(`token is malformed: could not JSON decode claim: ${reason}`)

interface Problem {
  readonly message: string
  /** Where the official server stops reading. */
  readonly isFinal: boolean
}

type Decoder = (name: string, value: unknown) => Problem | undefined

const field = (type: string, kind: string, path = ''): Decoder => {
  return (name, value) => {
    const actualKind = kindOf(value)
    if (actualKind === 'null' || actualKind === kind) return undefined
    const target = `Go struct field AccessTokenClaims.${path}${name} of type ${type}`
    return { message: `json: cannot unmarshal ${actualKind} into ${target}`, isFinal: false }
  }
}

const TEXTS = ['email', 'phone', 'role', 'aal', 'session_id', 'client_id', 'scope']
const text = field('string', 'string')
const registered = field('string', 'string', 'RegisteredClaims.')
const map = field('map[string]interface {}', 'object')

/** A number, or a text that is one. */
const time: Decoder = (_name, value) => {
  const actualKind = kindOf(value)
  if (actualKind === 'null') return undefined
  const source = sourceOf(value)
  const fail = (message: string) => ({ message, isFinal: true })
  if (source === undefined) {
    const type = 'into Go value of type json.Number'
    return fail(`could not parse NumericData: json: cannot unmarshal ${actualKind} ${type}`)
  }
  if (!NUMBER.test(source)) {
    const literal = JSON.stringify(JSON.stringify(source))
    const what = `json: invalid number literal, trying to unmarshal ${literal} into Number`
    return fail(`could not parse NumericData: ${what}`)
  }
  if (Number.isFinite(Number(source))) return undefined
  const parsing = `strconv.ParseFloat: parsing ${JSON.stringify(source)}: value out of range`
  return fail(`could not convert json number value to float: ${parsing}`)
}

const audience: Decoder = (_name, value) => {
  const isText = (each: unknown) => typeof each === 'string'
  const isValid = value === null || isText(value) || (Array.isArray(value) && value.every(isText))
  return isValid ? undefined : { message: 'invalid type for claim', isFinal: true }
}

const DECODERS = new Map<string, Decoder>([
  ...['iss', 'sub', 'jti'].map((name): [string, Decoder] => [name, registered]),
  ['aud', audience],
  ...['exp', 'nbf', 'iat'].map((name): [string, Decoder] => [name, time]),
  ...TEXTS.map((name): [string, Decoder] => [name, text]),
  ['app_metadata', map],
  ['user_metadata', map],
  ['is_anonymous', field('bool', 'bool')],
  ['amr', field('[]json.RawMessage', 'array')],
])

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function sourceOf(value: unknown): string | undefined {
  if (value instanceof WrittenNumber) return value.source
  return typeof value === 'string' ? value : undefined
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof WrittenNumber) return 'number'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Fractions of a second do not count. */
function checkTimes(claims: ReadonlyMap<string, unknown>, now: number): void {
  const secondsIn = (name: string) => {
    const source = sourceOf(claims.get(name) ?? undefined)
    return source === undefined ? undefined : Math.trunc(Number(source))
  }
  const [exp = Infinity, nbf = -Infinity] = [secondsIn('exp'), secondsIn('nbf')]
  const problems = [
    ...(now >= exp * 1000 ? ['token is expired'] : []),
    ...(now < nbf * 1000 ? ['token is not valid yet'] : []),
  ]
  if (problems.length > 0) throw new InvalidClaims(`token has invalid claims: ${problems.join(', ')}`)
}
